// The grammar of the language. docs/language.md explains it; Build*.cpp turn its trees into the AST.
// Words that a name may also be (limit, tolerance …) are listed in `name`; all others are reserved.
grammar Vertigo;

// A part of a text that is one expression, such as a value of --schedule.
loneExpr : expr EOF ;

program : PROGRAM name ('(' (parameter (',' parameter)*)? ')')? '{' item* '}' EOF ;

parameter : name ':' type ('=' expr)? ;

item
  : declaration
  | clause
  | statement
  ;

declaration
  : EDGE name ':' type ('=' expr)? ';'                                  # edgeDeclaration
  | VERTEX name ':' type ('=' expr)? ';'                                # stateDeclaration
  | INPUT VERTEX name ':' type ('=' expr)? ';'                          # inputDeclaration
  | MESSAGE name ':' type COMBINE name (IDENTITY expr)? KEEP? ';'       # messageDeclaration
  | FN name '(' (functionParameter (',' functionParameter)*)? ')' ':' type ('=' expr)? ';'
                                                                        # functionDeclaration
  | USE STRING ';'                                                      # useDeclaration
  | REQUIRES requirement (',' requirement)* ';'                         # requiresDeclaration
  | OUTPUT output (',' output)* ';'                                     # outputDeclaration
  ;

functionParameter : name ':' type ;
requirement : name ('(' name ')')? ;
output : name (TOLERANCE expr)? ;

// Of a program, where they hold for every phase, or of one phase.
clause
  : CONSISTENCY name ';'
  | ASSUME name ';'
  ;

statement
  : LET name (':' type)? '=' expr ';'                                   # letStatement
  | expr op=('=' | '+=' | '-=' | '*=' | '/=' | '&=' | '|=' | '^=') expr ';'                  # assignStatement
  | IF expr block (ELSE IF expr block)* (ELSE block)?                   # ifStatement
  | SEND direction=(BACK | BOTH)? expr (INTO name)? (TO expr (WHERE expr)?)? ';'
                                                                        # sendStatement
  | START startSet (block | ';')                                        # startStatement
  | UPDATE (ALL name | name kind=(WHEN | WHERE) expr) (LIMIT expr)? block
                                                                        # updateStatement
  | UPDATE EDGE '(' name ',' name ')' (WHERE expr)? block               # edgeUpdateStatement
  | PHASE name (FOR name IN range)? '{' phaseItem* '}'                  # phaseStatement
  | REPEAT expr block                                                   # repeatStatement
  | FOR name IN range block                                             # forStatement
  | WHILE expr block                                                    # whileStatement
  | REPORT name '=' expr ';'                                            # reportStatement
  ;

startSet
  : ALL name?
  | name WHERE expr
  | name name?
  ;

// Of numbers, or of what a list holds.
range : expr ('..' expr (BY expr)?)? ;

phaseItem
  : clause
  | LIMIT expr ';'
  | statement
  ;

block : '{' statement* '}' ;

type
  : typeName ('[' ']')?
  | '(' typeElement (',' typeElement)* ')'
  ;
typeElement : (name ':')? type ;
typeName : VERTEX | name ;

// The order of the alternatives is the precedence. `else` binds tighter than the operators below it, so that
// `mode(…) else a == b` compares; the builder refuses it behind anything but a reduction over neighbours.
// What begins alike is one alternative: where two begin with a call, or with a bracket, the parser reads to the end of it
// to choose between them, at each of its brackets again.
expr
  : expr '.' (name | INTEGER)                                           # memberExpr
  | <assoc=right> expr ELSE expr                                        # fallbackExpr
  | callee '(' arguments? ')'                                           # callExpr
  | INTEGER                                                             # integerExpr
  | FLOAT                                                               # floatExpr
  | (TRUE | FALSE)                                                      # boolExpr
  | '(' expr (',' expr)* ')'                                            # bracketExpr
  | name                                                                # nameExpr
  | op=('-' | '!' | '~') expr                                                 # unaryExpr
  | expr op=('*' | '/' | '%') expr                                      # binaryExpr
  | expr op=('+' | '-') expr                                            # binaryExpr
  | expr op=('<<' | '>>') expr                                          # binaryExpr
  | expr op='&' expr                                                    # binaryExpr
  | expr op='^' expr                                                    # binaryExpr
  | expr op='|' expr                                                    # binaryExpr
  | expr op=('<' | '<=' | '>' | '>=') expr                              # binaryExpr
  | expr op=('==' | '!=') expr                                          # binaryExpr
  | expr op='&&' expr                                                   # binaryExpr
  | expr op='||' expr                                                   # binaryExpr
  | <assoc=right> expr '?' expr ':' expr                                # conditionalExpr
  ;

// Of a call, which may choose among edges (`u, v where`); of a reduction over neighbours (`over`) or over all
// vertices (`where`).
arguments
  : neighbours
  | expr (neighbours | WHERE expr | (',' expr)+ (WHERE expr)?)?
  ;
neighbours : OVER (direction=(IN | OUT | BOTH) | common) name (WHERE expr)? ;
// `common_neighbours(u, v where c)`, as where it is called for their number.
common : COMMON '(' expr ',' expr (WHERE expr)? ')' ;
callee : name | ALL ;

name : IDENTIFIER | IDENTITY | KEEP | TOLERANCE | LIMIT | CONSISTENCY | ASSUME | BY | COMMON ;

PROGRAM : 'program' ;
EDGE : 'edge' ;
VERTEX : 'vertex' ;
INPUT : 'input' ;
MESSAGE : 'message' ;
COMBINE : 'combine' ;
FN : 'fn' ;
USE : 'use' ;
REQUIRES : 'requires' ;
OUTPUT : 'output' ;
LET : 'let' ;
IF : 'if' ;
ELSE : 'else' ;
SEND : 'send' ;
BACK : 'back' ;
BOTH : 'both' ;
INTO : 'into' ;
TO : 'to' ;
WHERE : 'where' ;
WHEN : 'when' ;
START : 'start' ;
UPDATE : 'update' ;
ALL : 'all' ;
PHASE : 'phase' ;
FOR : 'for' ;
IN : 'in' ;
OUT : 'out' ;
OVER : 'over' ;
REPEAT : 'repeat' ;
WHILE : 'while' ;
REPORT : 'report' ;
TRUE : 'true' ;
FALSE : 'false' ;
IDENTITY : 'identity' ;
KEEP : 'keep' ;
TOLERANCE : 'tolerance' ;
LIMIT : 'limit' ;
CONSISTENCY : 'consistency' ;
ASSUME : 'assume' ;
BY : 'by' ;
COMMON : 'common_neighbours' ;

IDENTIFIER : [A-Za-z_] [A-Za-z0-9_]* ;
FLOAT : [0-9]+ '.' [0-9]+ ([eE] [+-]? [0-9]+)? | [0-9]+ [eE] [+-]? [0-9]+ ;
INTEGER : '0' [xX] [0-9a-fA-F]+ | [0-9]+ ;
STRING : '"' ~["\r\n]* '"' ;

SPACE : [ \t\r\n\f]+ -> skip ;
LINE_COMMENT : '//' ~[\r\n]* -> skip ;
COMMENT : '/*' .*? '*/' -> skip ;

// What no other rule takes; Parse.cpp reports these before the parser sees them.
// (Spelled without `.*?`: the longest rule wins, and that one would run past every '*/'.)
UNCLOSED_COMMENT : '/*' (~'*' | '*'+ ~[*/])* '*'* EOF ;
UNCLOSED_STRING : '"' ~["\r\n]* ;
UNKNOWN : . ;
