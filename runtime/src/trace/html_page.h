#pragma once
// The report page without its title and data (@TITLE@ and @DATA@ stand for them).

#include <string_view>

namespace vertigo::trace {

inline constexpr std::string_view kHtmlPage = R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>@TITLE@</title>
<style>
  :root { color-scheme: light dark; --ink: #222; --paper: #fff; --faint: #8886; }
  @media (prefers-color-scheme: dark) { :root { --ink: #ddd; --paper: #181818; } }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem;
         color: var(--ink); background: var(--paper); }
  h1 { font-size: 1.4rem; }
  h2 { font-size: 1.05rem; margin: 1.6rem 0 .2rem; }
  svg { width: 100%; height: auto; display: block; overflow: visible; }
  svg text { font-size: 11px; fill: currentColor; }
  table { border-collapse: collapse; }
  td, th { padding: .15rem .9rem .15rem 0; text-align: right; border-bottom: 1px solid var(--faint); }
  td:first-child, th:first-child, td:nth-child(2), th:nth-child(2) { text-align: left; }
  .swatch { display: inline-block; width: .8em; height: .8em; margin-right: .4em; border-radius: 2px; }
  #hint { position: fixed; pointer-events: none; background: var(--paper); color: var(--ink);
          border: 1px solid var(--faint); border-radius: 4px; padding: .3rem .6rem; font-size: 13px; display: none; }
  label { margin-right: 1rem; }
</style>
</head>
<body>
<h1>@TITLE@</h1>
<p id="totals"></p>
<table id="variants"></table>
<h2>Variant of each step</h2><svg id="lanes"></svg>
<p><label><input type="checkbox" id="log"> logarithmic scale</label></p>
<h2>Active vertices</h2><svg data-field="4"></svg>
<h2>Edges visited</h2><svg data-field="5"></svg>
<h2>Time per step</h2><svg data-field="7"></svg>
<div id="moved" hidden><h2>How the edges of each step came to the device</h2>
<p>Shares of the bytes that were read. <span id="ways"></span></p><svg id="shares"></svg>
<h2>Bytes over the link</h2><p id="rates"></p><svg id="link"></svg></div>
<p id="expected" hidden>Lines across the bars: what the controller had expected.</p>
<div id="hint"></div>
<script id="data" type="application/json">@DATA@</script>
<script>
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const rows = data.rows;
const palette = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#ee8866", "#777777"];
const colour = variant => palette[variant % palette.length];
const svg = (name, attributes, parent, text) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  if (text !== undefined) node.textContent = text;
  parent.appendChild(node);
  return node;
};
const seconds = s => s === 0 ? "0" : s >= 1 ? s.toPrecision(3) + " s" : s >= 1e-3 ? (s * 1e3).toPrecision(3) + " ms" : (s * 1e6).toPrecision(3) + " \u00b5s";
const count = n => Number(n).toLocaleString("en");
const inMillions = n => n >= 1e9 ? count(Math.round(n / 1e6)) : (n / 1e6).toPrecision(3);

const kLeft = 130;  // the plots' margin for names and scales, the same so that steps stand below each other

// One lane a variant, in the order of their first use; neighbouring steps of one variant are one rectangle.
function drawLanes(chart) {
  const order = [...new Set(rows.map(row => row[1]))];
  const width = 1000, lane = 20, left = kLeft, height = order.length * lane;
  chart.setAttribute("viewBox", `0 0 ${width} ${height + 22}`);
  const x = step => left + (width - left) * step / Math.max(1, rows.length);
  order.forEach((variant, place) => {
    svg("text", {x: left - 8, y: place * lane + 14, "text-anchor": "end"}, chart, data.variants[variant]);
    svg("line", {x1: left, x2: width, y1: (place + 1) * lane, y2: (place + 1) * lane, stroke: "currentColor",
                 "stroke-opacity": 0.2}, chart);
  });
  for (let begin = 0, end; begin < rows.length; begin = end) {
    for (end = begin + 1; end < rows.length && rows[end][1] === rows[begin][1];) ++end;
    svg("rect", {x: x(begin), y: order.indexOf(rows[begin][1]) * lane + 3, width: Math.max(1, x(end) - x(begin) - 0.5),
                 height: lane - 6, fill: colour(rows[begin][1]), "data-row": begin, "data-last": end - 1}, chart);
  }
  svg("text", {x: left, y: height + 16}, chart, "first step");
  svg("text", {x: width, y: height + 16, "text-anchor": "end"}, chart, count(rows.length) + " steps");
}

// At most this many bars: more steps than that share a bar, which shows their largest value.
const kBars = 900;
function draw(chart, logarithmic) {
  const field = Number(chart.dataset.field);
  const width = 1000, height = 180, left = kLeft;
  chart.setAttribute("viewBox", `0 0 ${width} ${height + 22}`);
  chart.replaceChildren();
  const perBar = Math.max(1, Math.ceil(rows.length / kBars));
  const bars = [];
  for (let i = 0; i < rows.length; i += perBar) {
    let top = i;
    for (let j = i; j < Math.min(rows.length, i + perBar); ++j) if (rows[j][field] > rows[top][field]) top = j;
    bars.push(top);
  }
  const values = rows.map(row => row[field]);
  if (field === 7) values.push(...rows.map(row => row[8]));
  let most = 0, least = Infinity;
  for (const v of values) { most = Math.max(most, v); if (v > 0) least = Math.min(least, v); }
  if (most === 0) { most = 1; least = 1; }
  const floor = least / 2;
  const scale = v => logarithmic ? (v <= 0 ? 0 : Math.log(v / floor) / Math.log(most / floor)) : v / most;
  for (const part of [0, 0.5, 1]) {
    const y = height - part * (height - 10);
    const value = logarithmic ? floor * Math.pow(most / floor, part) : part * most;
    svg("line", {x1: left, x2: width, y1: y, y2: y, stroke: "currentColor", "stroke-opacity": 0.2}, chart);
    svg("text", {x: left - 6, y: y + 4, "text-anchor": "end"}, chart, field === 7 ? seconds(value) : count(Math.round(value)));
  }
  const slot = (width - left) / Math.max(1, bars.length);
  const barWidth = slot < 4 ? slot + 0.1 : Math.min(slot * 0.9, 40);  // gaps between thin bars would flicker
  bars.forEach((row, i) => {
    const size = scale(rows[row][field]) * (height - 10);
    svg("rect", {x: left + i * slot, y: height - size, width: barWidth, height: size,
                 fill: colour(rows[row][1]), "shape-rendering": "crispEdges", "data-row": row}, chart);
    if (field !== 7 || rows[row][8] <= 0) return;
    const y = height - scale(rows[row][8]) * (height - 10);
    svg("line", {x1: left + i * slot, x2: left + i * slot + Math.max(1, barWidth), y1: y, y2: y,
                 stroke: "currentColor", "stroke-width": 1.5}, chart);
  });
  svg("text", {x: left, y: height + 16}, chart, "first step");
  svg("text", {x: width, y: height + 16, "text-anchor": "end"}, chart, count(rows.length) + " steps");
}

// Edges in parts: bars of a step are made of its ways. `value` of a way; `whole`: bars are shares of their step.
const waysOf = row => row[11] || [];
const wayColours = {"resident": "#bbbbbb", "filter": "#4477aa", "from file": "#aa3377", "compaction": "#228833", "zero-copy": "#ee6677"};
const bytes = b => b >= 1e9 ? (b / 1e9).toPrecision(3) + " GB" : b >= 1e6 ? (b / 1e6).toPrecision(3) + " MB" : count(b) + " bytes";
function drawWays(chart, value, whole) {
  const width = 1000, height = 140, left = kLeft;
  chart.setAttribute("viewBox", `0 0 ${width} ${height + 22}`);
  const sum = row => waysOf(row).reduce((all, way) => all + value(way), 0);
  let most = 1;
  for (const row of rows) most = Math.max(most, sum(row));
  for (const part of [0, 0.5, 1]) {
    const y = height - part * (height - 10);
    svg("line", {x1: left, x2: width, y1: y, y2: y, stroke: "currentColor", "stroke-opacity": 0.2}, chart);
    svg("text", {x: left - 6, y: y + 4, "text-anchor": "end"}, chart, whole ? part * 100 + "%" : bytes(part * most));
  }
  const perBar = Math.max(1, Math.ceil(rows.length / kBars));
  const slot = (width - left) / Math.ceil(rows.length / perBar);
  for (let i = 0; i < rows.length; i += perBar) {
    let top = height;
    const scale = (height - 10) / (whole ? Math.max(1, sum(rows[i])) : most);
    for (const way of waysOf(rows[i])) {
      const size = value(way) * scale;
      top -= size;
      svg("rect", {x: left + i / perBar * slot, y: top, width: slot < 4 ? slot + 0.1 : Math.min(slot * 0.9, 40), height: size,
                   fill: wayColours[way[0]], "shape-rendering": "crispEdges", "data-row": i}, chart);
    }
  }
}

function drawMoved() {
  if (!rows.some(row => waysOf(row).length > 0)) return;
  document.getElementById("moved").hidden = false;
  document.getElementById("rates").textContent = data.link === "" ? "" : `The link: ${data.link}.`;
  for (const way in wayColours) {
    const swatch = document.createElement("span");
    swatch.className = "swatch";
    swatch.style.background = wayColours[way];
    document.getElementById("ways").append(swatch, way + "  ");
  }
  drawWays(document.getElementById("shares"), way => way[3], true);
  drawWays(document.getElementById("link"), way => way[2], false);
}

function summarise() {
  const groups = new Map();
  let edges = 0, time = 0;
  for (const row of rows) {
    const key = row[0] + " " + row[1];
    const group = groups.get(key) || {phase: row[0], variant: row[1], steps: 0, active: 0, edges: 0, time: 0};
    group.steps += 1; group.active += row[4]; group.edges += row[5]; group.time += row[7];
    groups.set(key, group);
    edges += row[5]; time += row[7];
  }
  document.getElementById("totals").textContent =
      `${count(rows.length)} steps, ${count(edges)} edges visited, ${seconds(time)} in steps` +
      (time > 0 ? `, ${inMillions(edges / time)} million edges a second` : "");
  const table = document.getElementById("variants");
  const line = (cells, tag) => {
    const tr = table.insertRow();
    for (const cell of cells) {
      const td = document.createElement(tag);
      if (cell instanceof Node) td.append(cell); else td.textContent = cell;
      tr.append(td);
    }
  };
  line(["phase", "variant", "steps", "activations", "edges", "time"], "th");
  for (const group of groups.values()) {
    const name = document.createElement("span");
    const swatch = document.createElement("span");
    swatch.className = "swatch";
    swatch.style.background = colour(group.variant);
    name.append(swatch, data.variants[group.variant]);
    line([data.phases[group.phase], name, count(group.steps), count(group.active), count(group.edges), seconds(group.time)], "td");
  }
}

function moves(row) {
  const sent = waysOf(row).reduce((all, way) => all + way[2], 0);
  return waysOf(row).map(way => `; ${way[0]}: ${count(way[1])} partitions, ${bytes(way[2])} over the link, ${bytes(way[3])} read`).join("") +
      (sent > 0 && row[7] > 0 ? `; ${(sent / row[7] / 1e9).toPrecision(3)} GB a second` : "");
}
const known = (name, value, text) => value > 0 ? `, ${name} ${text}` : "";
function describe(row, last) {
  const steps = last !== undefined && last > row[3] ? `steps ${row[3]} to ${last}` : `step ${row[3]}`;
  const why = data.reasons[row[2]] ? ` (${data.reasons[row[2]]})` : "";
  if (last !== undefined) return `${data.phases[row[0]]} ${steps}: ${data.variants[row[1]]}${why}`;
  return `${data.phases[row[0]]} ${steps}, ${data.variants[row[1]]}: ${count(row[4])} active, ${count(row[5])} edges` +
      known("out-edges", row[9], count(row[9])) + known("in-edges to come", row[10], count(row[10])) +
      `, ${seconds(row[7])}` + known("expected", row[8], seconds(row[8])) + why + moves(row);
}

const charts = document.querySelectorAll("svg[data-field]");
const logarithmic = document.getElementById("log");
const redraw = () => charts.forEach(chart => draw(chart, logarithmic.checked));
const hint = document.getElementById("hint");
const lanes = document.getElementById("lanes");
[lanes, document.getElementById("shares"), document.getElementById("link"), ...charts].forEach(chart => {
  chart.addEventListener("mousemove", event => {
    const index = event.target.getAttribute("data-row");
    if (index === null) { hint.style.display = "none"; return; }
    const last = event.target.getAttribute("data-last");
    hint.textContent = describe(rows[index], last === null ? undefined : rows[last][3]);
    hint.style.display = "block";
    hint.style.left = Math.min(event.clientX + 12, window.innerWidth - hint.offsetWidth - 8) + "px";
    hint.style.top = event.clientY + 16 + "px";
  });
  chart.addEventListener("mouseleave", () => hint.style.display = "none");
});
logarithmic.addEventListener("change", redraw);
document.getElementById("expected").hidden = !rows.some(row => row[8] > 0);
summarise();
drawLanes(lanes);
drawMoved();
redraw();
</script>
</body>
</html>
)html";

}  // namespace vertigo::trace
