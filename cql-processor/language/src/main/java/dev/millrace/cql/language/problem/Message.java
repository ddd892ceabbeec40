package dev.millrace.cql.language.problem;

/**
 * The message catalog: all problems of rules, each with a stable code, a description and advice.
 *
 * <p>{@code {0}}, {@code {1}} ... are replaced with arguments. Codes: 1xxx syntax, 2xxx names, 3xxx types, 4xxx
 * statements, 5xxx patterns, 6xxx ordering, 7xxx not yet available, 9xxx limits and internal errors.
 */
public enum Message
{
    /** A token that no rule of the grammar accepts at its position. */
    UNEXPECTED_TOKEN(1001, "unexpected {0}, expected {1}", ""),
    /** The text ends too early. */
    UNEXPECTED_END(1002, "the statement ends here, expected {0}", "complete the statement"),
    /** A string without its closing quote. */
    STRING_NOT_CLOSED(1003, "string is not closed", "add the closing {0}; a quote inside a string is written twice"),
    /** A quoted name that is empty or lacks its closing back-tick. */
    BAD_QUOTED_NAME(1004, "quoted name is empty or not closed", "write `name`"),
    /** A character that is not part of the syntax of CQL. */
    UNKNOWN_CHARACTER(1005, "character {0} has no meaning in CQL",
        "remove it, or put it in quotes if it is part of a string"),
    /** A malformed number. */
    BAD_NUMBER(1006, "{0} is not a number", "write 7, 7L, 1.5, 1.5e3, 1.5f or 1.5d"),
    /** A number that its type cannot hold. */
    NUMBER_OUT_OF_RANGE(1007, "number {0} is out of range for {1}", "use a smaller number or another suffix"),
    /** A reserved word where a name is expected. */
    RESERVED_WORD(1008, "{0} is a reserved word and cannot be {1}", "choose another name or write `{0}`"),
    /** A comment. */
    COMMENT(1009, "comments are not supported in CQL text", "put the comment into the XML file, outside the rule, or " +
        "on a separate line that begins with -- in a .cql file; write a space between two minus signs: a - -1"),
    /** An empty text. */
    EMPTY_STATEMENT(1010, "the statement is empty", "write select ... from ..."),
    /** Text after the end of the statement. */
    TEXT_AFTER_END(1011, "unexpected {0} after the end of the statement", "remove it; one rule is one statement"),
    /** FULL OUTER JOIN. */
    FULL_OUTER_JOIN(1012, "FULL OUTER JOIN is not part of CQL", "use LEFT OUTER JOIN or RIGHT OUTER JOIN"),
    /** DIFFERENCE USING after RStream. */
    DIFFERENCE_AFTER_RSTREAM(1013, "DIFFERENCE USING cannot follow RStream", "it belongs to IStream and DStream"),
    /** A word that looks like a misspelt keyword. */
    MISSPELT_KEYWORD(1014, "unexpected {0}, expected {1}", "did you mean {2}?"),
    /** INNER JOIN and the like. */
    INNER_JOIN(1015, "{0} is not part of CQL", "separate the sources with a comma and put the condition into WHERE"),
    /** ORDER BY before a set operation. */
    ORDER_NOT_LAST(1016, "ORDER BY must be at the end of the whole set operation",
        "move it after the last select, or put the select into parentheses"),
    /** A size of zero or less. */
    NOT_POSITIVE(1017, "{0} must be more than 0, not {1}", "write a positive number"),
    /** A number of rows with a fraction. */
    NOT_WHOLE(1018, "{0} is not a whole number", "write a number of rows without fraction"),
    /** A duration that is too long. */
    TIME_TOO_LONG(1019, "this duration is longer than 292 years", "write a shorter one, or RANGE UNBOUNDED"),
    /** A duration with a part below a nanosecond. */
    TIME_TOO_FINE(1020, "this duration is not a whole number of nanoseconds", "the resolution of time is 1 nanosecond"),
    /** The string of an interval. */
    BAD_INTERVAL(1021, "{0} is not an interval", "write for example INTERVAL \"0 00:00:05.0\" DAY TO SECOND"),
    /** The string of a timestamp. */
    BAD_TIMESTAMP(1022, "{0} is not a timestamp", "write for example \"2026-11-21T05:10:00\""),
    /** A malformed regular expression. */
    BAD_PATTERN(1023, "the pattern of LIKE is not a regular expression: {0}",
        "LIKE takes java.util.regex patterns; write % as .* and _ as ."),
    /** LIKE with a pattern that is not a constant string. */
    LIKE_NOT_CONSTANT(1024, "the pattern of LIKE must be a constant string", "write the regular expression in quotes"),
    /** A sub-query in a position where none is allowed. */
    SUB_QUERY(1025, "a sub-query cannot be used {0}", "put it into FROM with AS, or into a view"),

    /** A hexadecimal string. */
    BAD_HEX(1026, "{0} is not a sequence of bytes in hexadecimal digits",
        "write two digits per byte, for example x'0AFF'"),

    /** A malformed XQuery or path. */
    BAD_XQUERY(1027, "this is not an XQuery: {0}", "correct it; XQuery 3.1 that reads only the passed values"),

    /** An invalid constant path of a JSON function. */
    BAD_JSON_PATH(1038, "the path of a JSON function cannot be used: {0}",
        "write for example '$.order.items[0].price'"),

    /** An invalid constant argument of a regular expression function. */
    BAD_REGEXP(1028, "{0} of {1} cannot be used: {2}", "patterns and replacements are those of java.util.regex: $1 " +
        "is the match of the first group, \\$ a dollar sign"),

    /** LIKE with SQL syntax: a warning. */
    LIKE_OF_SQL(1036, "LIKE finds a regular expression anywhere in a string: {0} is read differently than in SQL",
        "write like {1} for the matches of SQL's like {0}"),
    /** An unknown unit of time. */
    NOT_A_UNIT(1037, "{0} is not a unit of time", "units: nanoseconds, microseconds, milliseconds, seconds, minutes, " +
        "hours, days; a month or a year has no fixed length"),

    /** A placeholder in a view. */
    PLACEHOLDER_IN_VIEW(1030, "placeholder {0} cannot be used in a view", "put it into the query that reads the view"),
    /** A placeholder without bindings. */
    PLACEHOLDER_UNBOUND(1031, "placeholder {0} has no value", "add a binding with this query's id and its params"),
    /** A placeholder whose number is not 1 or more. */
    BAD_PLACEHOLDER(1032, "{0} is not a placeholder", "write :1, :2 and so on"),
    /** A placeholder whose number exceeds the number of values. */
    PLACEHOLDER_WITHOUT_VALUE(1033, "placeholder {0} has no value, the params have {1}", "add a value to the params"),
    /** A placeholder used twice. */
    PLACEHOLDER_TWICE(1034, "placeholder {0} occurs twice", "give the second one another number"),
    /** More values than placeholders. */
    PARAMETER_COUNT(1035, "the params have {0} values, but there is no placeholder {1}", "remove a value"),

    /** FROM names something that does not exist. */
    UNKNOWN_SOURCE(2001, "{0} is not a channel, cache or view that this processor can read", "known: {1}"),
    /** A column that no source has. */
    UNKNOWN_COLUMN(2002, "{0} has no column {1}", "columns: {2}"),
    /** A column that several sources have. */
    AMBIGUOUS_COLUMN(2003, "column {0} is in {1} and in {2}", "qualify it: {1}.{0} or {2}.{0}"),
    /** A qualifier that is not a source of the statement. */
    UNKNOWN_QUALIFIER(2004, "{0} is not a source of this statement", "sources: {1}"),
    /** A function that does not exist. */
    UNKNOWN_FUNCTION(2005, "there is no function {0}",
        "functions are those of CQL and those that the application declares"),
    /** Two sources with the same name in FROM. */
    DUPLICATE_ALIAS(2006, "two sources are called {0}", "give one of them another name with AS"),
    /** Two output columns with the same name. */
    DUPLICATE_COLUMN(2007, "two columns are called {0}", "give one of them another name with AS"),
    /** Two rules, or a rule and a source, with the same id. */
    DUPLICATE_ID(2008, "the id {0} is taken by a {1}", "choose another id"),
    /** An id that is not an identifier. */
    BAD_ID(2009, "{0} cannot be the id of a rule", "use letters, digits and _ $ #, a letter first"),
    /** A view schema whose size differs from the number of columns. */
    SCHEMA_SIZE(2010, "the schema has {0} names, the view has {1} columns",
        "name each column once, separated by blanks"),
    /** A view that is used before it is declared. */
    VIEW_DECLARED_LATER(2011, "view {0} is declared after this rule", "move the view above the rules that read it"),
    /** A column of a view whose own rule has problems. */
    VIEW_IS_WRONG(2013, "view {0} itself has problems", "correct the view first"),
    /** A qualified name that cannot be resolved. */
    UNKNOWN_CLASS(2014, "{0} is neither a column nor a Java class that rules can access",
        "write the full name of a public class that the application has or imports"),
    /** A cartridge that does not exist. */
    UNKNOWN_CARTRIDGE(2015, "there is no cartridge with the link {0}", "links: {1}"),
    /** A member that a class does not have. */
    UNKNOWN_MEMBER(2016, "{0} has no public {1} {2}", "Java names have upper and lower case"),
    /** A type that does not exist. */
    UNKNOWN_TYPE(2017, "there is no type {0}", "write int, bigint, float, double, bigdecimal, char, byte, boolean, " +
        "timestamp, interval, xmltype, object, or the full name of a Java class"),
    /** A class that cannot be linked. */
    BROKEN_CLASS(2019, "class {0} cannot be used: {1}", "give the application the classes that it needs"),
    /** A window of the application that does not exist. */
    UNKNOWN_WINDOW(2018, "there is no window {0}", "windows of this processor: {1}"),

    /** An operator whose two operands have unsupported types. */
    OPERAND_TYPES(3001, "{0} cannot be applied to {1} and {2}", "both must be {3}"),
    /** An operator whose operand has an unsupported type. */
    OPERAND_TYPE(3002, "{0} cannot be applied to {1}", "it needs {2}"),
    /** A value where a condition is expected. */
    NOT_A_CONDITION(3003, "this is {0}, a condition is needed", "compare it with something"),
    /** A condition where a value is expected. */
    NOT_A_VALUE(3004, "a condition cannot be used as a value here", "conditions belong in WHERE, HAVING and DEFINE"),
    /** An untyped null as a column. */
    NULL_HAS_NO_TYPE(3005, "this null has no type",
        "a measure or an argument that is always null has no use; leave it out"),
    /** Order comparison of booleans. */
    BOOLEAN_ORDER(3006, "boolean values have no order", "use = or <>"),
    /** An aggregate whose argument has an unsupported type. */
    AGGREGATE_TYPE(3007, "{0} cannot aggregate {1}", "it needs {2}"),
    /** Arguments that match no signature of a function. */
    ARGUMENT_TYPES(3008, "{0} cannot be called with ({1})", "it takes {2}"),
    /** Branches of CASE or decode without a common type. */
    BRANCH_TYPES(3009, "the results of this expression have the types {0} and {1}", "give all results one type"),
    /** A value that is not a Java object. */
    NO_MEMBERS(3010, "{0} has no members", "call a method of a class with it: package.Class.method(value)"),
    /** An index on a value that is not an array. */
    NOT_AN_ARRAY(3011, "[ ] cannot be applied to {0} and {1}", "it needs a one-dimensional array and an int from 0"),
    /** A method without a result. */
    VOID_METHOD(3012, "method {0} returns no value", "call a method that returns a value"),
    /** A call that matches several methods equally well. */
    AMBIGUOUS_CALL(3013, "{0} is ambiguous when called with ({1})", "these fit: {2}"),
    /** A table function that does not return a collection. */
    TABLE_RESULT(3014, "TABLE( ) cannot create rows from {0}", "it needs an array, Collection, Iterable or Stream"),
    /** OF with a type other than that of the elements. */
    TABLE_TYPE(3015, "the elements are {0}, not {1}", "leave out OF, or write OF {0}"),
    /** CAST to a type to which the value cannot be converted. */
    CANNOT_CAST(3016, "{0} cannot be cast to {1}",
        "see the table of conversions in docs/cql/expressions.md; hextoraw makes bytes, xmlparse XML"),

    /** An aggregate in WHERE. */
    AGGREGATE_IN_WHERE(4001, "an aggregate cannot be used in {0}", "use HAVING, or aggregate in a view"),
    /** An aggregate in an aggregate. */
    NESTED_AGGREGATE(4002, "aggregates cannot be nested", "compute the inner one in a view"),
    /** An ungrouped column. */
    NOT_GROUPED(4003, "{0} is neither grouped nor aggregated", "add it to GROUP BY or put it into an aggregate"),
    /** HAVING without an aggregate. */
    HAVING_WITHOUT_AGGREGATE(4004, "HAVING needs GROUP BY or an aggregate", "use WHERE"),
    /** A window on a source that is not a stream. */
    WINDOW_ON_RELATION(4005, "{0} is a relation, a window needs a stream", "remove the window"),
    /** A cache join without an equality on the key. */
    CACHE_WITHOUT_KEY(4006, "cache {0} must be joined by equality with its key {1}",
        "add a condition {0}.{1} = ... to WHERE, joined by AND"),
    /** A cache join with a stream that is not [now]. */
    CACHE_WITHOUT_NOW(4007, "a stream that is joined with a cache needs the window [now]", "write {0}[now]"),
    /** A cache without other sources. */
    CACHE_ALONE(4008, "cache {0} cannot be read alone", "join it with a stream [now]"),
    /** The first condition on a cache is not the equality with its key. */
    CACHE_KEY_FIRST(4009, "the first condition on cache {0} must be the equality with its key {1}",
        "move {0}.{1} = ... before this condition"),
    /** Arithmetic on the key of a cache. */
    CACHE_KEY_ARITHMETIC(4010, "the key {1} of cache {0} cannot be part of a computation", "compare the bare key"),
    /** Window on a cache. */
    WINDOW_ON_CACHE(4011, "cache {0} cannot have a window", "remove the window"),
    /** Wrong number of arguments. */
    ARGUMENT_COUNT(4012, "{0} takes {1}, not {2}", ""),
    /** A view that is not a stream where a stream is required. */
    NEEDS_STREAM(4014, "{0} needs a stream, {1} is a relation", "turn it into a stream first"),
    /** The key and the value that it is compared with have different types. */
    CACHE_KEY_TYPE(4015, "the key {1} of cache {0} is {2}, it is compared with {3}", "compare values of one type"),
    /** Sides of a set operation have different numbers of columns. */
    SET_COLUMNS(4016, "the sides of {0} have {1} and {2} columns", "select as many columns on both sides"),
    /** A column of a set operation whose types have no common type. */
    SET_TYPES(4017, "column {1} of the sides of {0} has the types {2} and {3}", "give both one type"),
    /** A table function without a stream. */
    TABLE_ALONE(4018, "TABLE( ) cannot be read alone", "join it with a stream [now], whose rows it is called for"),
    /** A table function with a stream that is not [now]. */
    TABLE_WITHOUT_NOW(4019, "a stream that TABLE( ) is called for needs the window [now]", "write {0}[now]"),
    /** A table join without an equality. */
    TABLE_SOURCE_KEY(4020, "table {0} must be joined by equality with one of its columns",
        "add a condition {0}.COLUMN = ... to WHERE, joined by AND"),
    /** A table join with a stream that is not [now]. */
    TABLE_SOURCE_WITHOUT_NOW(4021, "a stream that is joined with a table needs the window [now]", "write {0}[now]"),
    /** A table without other sources. */
    TABLE_SOURCE_ALONE(4022, "table {0} cannot be read alone", "join it with a stream [now]"),
    /** Window on a table. */
    WINDOW_ON_TABLE(4023, "table {0} cannot have a window", "remove the window"),
    /** ELEMENT_TIME of a group. */
    ELEMENT_TIME_GROUPED(4025, "ELEMENT_TIME cannot be selected with GROUP BY or an aggregate",
        "write max(ELEMENT_TIME), or select it in a view"),
    /** Bounds of a window that has no bounds. */
    WINDOW_BOUNDS(4026, "{0} needs one source, whose window has SLIDE or SESSION",
        "write for example S [range 10 seconds slide 10 seconds] or S [session gap 10 seconds]; group in a view " +
            "before a join"),
    /** An argument of a window that is not a constant. */
    WINDOW_ARGUMENT(4024, "the arguments of window {0} must be constants",
        "write a number, a string in quotes, true, false or an interval"),

    /** DEFINE of a variable that is not in PATTERN. */
    DEFINE_UNKNOWN(5001, "variable {0} is defined but does not occur in PATTERN", "variables of PATTERN: {1}"),
    /** DEFINE of a SUBSET. */
    DEFINE_SUBSET(5002, "{0} is a SUBSET and must not be defined", "define its members"),
    /** A variable that is defined twice. */
    DEFINE_TWICE(5003, "variable {0} is defined twice", "join the conditions with AND"),
    /** An unknown member of a SUBSET. */
    SUBSET_MEMBER(5004, "{0} in SUBSET is not a variable of PATTERN", "variables of PATTERN: {1}"),
    /** A SUBSET name that is already used. */
    SUBSET_NAME(5005, "{0} is already a variable or SUBSET", "choose another name"),
    /** prev of a variable other than the one being defined. */
    PREV_OTHER_VARIABLE(5006, "prev in DEFINE may use only the variable being defined, {0}", "write prev({0}.{1})"),
    /** WITHIN with DURATION. */
    WITHIN_AND_DURATION(5007, "WITHIN and DURATION cannot be combined", "remove one of them"),
    /** DURATION without timer. */
    DURATION_NEEDS_TIMER(5008, "DURATION needs INCLUDE TIMER EVENTS", "add it before PATTERN"),
    /** Timer without DURATION. */
    TIMER_NEEDS_DURATION(5009, "INCLUDE TIMER EVENTS needs DURATION", "add DURATION after PATTERN or remove it"),
    /** A column that is not a measure. */
    NOT_A_MEASURE(5010, "{0} is not a measure of {1}", "only measures can be selected: {2}"),
    /** An offset that is not a constant. */
    OFFSET_NOT_CONSTANT(5011, "the offset of {0} must be a constant of 0 or more", "write a whole number"),
    /** Unknown correlation variable. */
    UNKNOWN_VARIABLE(5012, "correlation variable {0} is unknown", "variables: {1}"),
    /** Duplicate measure. */
    DUPLICATE_MEASURE(5013, "measure {0} occurs twice", "give one of them another name"),
    /** Clauses in the wrong order. */
    CLAUSE_ORDER(5014, "{0} must come before {1}",
        "order: PARTITION BY, MEASURES, ALL MATCHES, INCLUDE TIMER EVENTS, PATTERN, WITHIN or DURATION, " +
        "SUBSET, DEFINE"),
    /** A missing clause. */
    CLAUSE_MISSING(5015, "MATCH_RECOGNIZE needs {0}", "MEASURES, PATTERN and DEFINE are obligatory"),
    /** A repeated clause. */
    CLAUSE_TWICE(5016, "{0} occurs twice", "remove one"),
    /** Empty pattern. */
    EMPTY_PATTERN(5017, "the pattern is empty", "write variables, for example PATTERN (A B)"),
    /** A quantifier on a quantifier. */
    QUANTIFIER_TWICE(5018, "a quantifier cannot follow a quantifier", "use parentheses"),
    /** An argument of prev that is not a column. */
    NAVIGATION_ARGUMENT(5019, "the argument of {0} must be a column of a variable", "write {0}(A.column)"),
    /** A pattern function outside a pattern. */
    ONLY_IN_PATTERN(5020, "{0} can only be used in MATCH_RECOGNIZE", "move it into MEASURES or DEFINE"),
    /** Nested navigation. */
    NESTED_NAVIGATION(5021, "{0} cannot be nested in {1}", "use one navigation function and an offset"),
    /** A pattern over a source with a window. */
    WINDOW_BEFORE_PATTERN(5022, "MATCH_RECOGNIZE reads a stream without window", "remove the window"),
    /** An order other than that of time. */
    PATTERN_ORDER(5023, "MATCH_RECOGNIZE cannot be ordered by {0}",
        "a stream is in order of ELEMENT_TIME: write ORDER BY ELEMENT_TIME or leave it out"),
    /** An anchor in a pattern. */
    PATTERN_ANCHOR(5024, "{0} has no meaning in PATTERN: a stream has neither beginning nor end", "remove it"),
    /** Invalid bounds of a quantifier. */
    QUANTIFIER_BOUNDS(5025, "this quantifier allows no row", "write {n}, {n,}, {n,m}, {,m} or {,} with 1 <= m, n <= m"),
    /** A pattern that is too large. */
    PATTERN_TOO_LARGE(5026, "the pattern has {0} positions for rows, at most {1} are allowed",
        "use smaller numbers of repetitions or fewer permuted variables"),
    /** Too many variables. */
    TOO_MANY_VARIABLES(5027, "the pattern has more than {0} variables", "use fewer variables"),
    /** An exclusion without ALL ROWS PER MATCH. */
    EXCLUSION_NEEDS_ALL_ROWS(5028, "an exclusion needs ALL ROWS PER MATCH without unmatched rows",
        "write ALL ROWS PER MATCH after MEASURES"),
    /** ALL MATCHES with AFTER MATCH SKIP. */
    SKIP_WITH_ALL_MATCHES(5029, "ALL MATCHES and AFTER MATCH SKIP cannot be combined", "remove one of them"),
    /** Several variables in one aggregate. */
    SEVERAL_VARIABLES(5030, "the argument of {0} names more than one variable", "use a SUBSET of the variables"),
    /** FINAL or NEXT in DEFINE. */
    ONLY_IN_MEASURES(5031, "{0} cannot be used in DEFINE", "conditions read only rows up to the current one"),
    /** RUNNING or FINAL before another function. */
    VIEW_ARGUMENT(5032, "{0} must precede first, last or an aggregate", "remove it"),
    /** A greedy loop that never ends: a warning. */
    ENDLESS_LOOP(5033, "{0} is not defined, so that {0} with its quantifier never ends and no match is reported",
        "define {0}, add WITHIN or use a reluctant quantifier"),
    /** DURATION with an unsupported clause. */
    NOT_WITH_DURATION(5034, "{0} cannot be combined with DURATION", "remove it"),
    /** DURATION by a column of a row that is not the first. */
    DURATION_OF_FIRST_ROW(5035, "DURATION by {0} reads the first row of a match, which need not be of {1}",
        "let PATTERN begin with {1}, or write the column without a variable"),
    /** DURATION by a column that is not an integer. */
    DURATION_NOT_WHOLE(5036, "DURATION by {0} needs a column of type int or bigint, type={1}",
        "compute a whole number of units in a view"),
    /** A greedy end of a pattern that only a row of its partition can complete, under ORDERED: a warning. */
    OPEN_TAIL(5037, "a match waits for a row of its partition that is not {0}, and delays later matches of other" +
        " partitions: ORDERED reports them in order of time",
        "use PARTITION_ORDERED, add WITHIN, or compare element_time with that of an earlier row in the condition"),

    /** Unknown ordering constraint. */
    UNKNOWN_ORDERING(6001, "{0} is not an ordering constraint", "use ORDERED, UNORDERED or PARTITION_ORDERED"),
    /** Missing partition expression. */
    PARTITION_MISSING(6002, "PARTITION_ORDERED needs a partition-expression",
        "name the column that partitions the rows"),
    /** Superfluous partition expression. */
    PARTITION_UNUSED(6003, "a partition-expression needs ordering-constraint PARTITION_ORDERED",
        "add the constraint or remove the expression"),
    /** A partition expression that is not over columns of the source. */
    PARTITION_NOT_COLUMN(6004, "the partition expression must be over columns of {0}",
        "write a value that each row of this source has, for example a column"),
    /** A pattern that is not partitioned by the partition expression. */
    PARTITION_ILLEGAL(6005, "{0} cannot run partition-ordered by {1}: it does not separate rows by {1}", "{2}"),
    /** UNORDERED on a stateful statement. */
    UNORDERED_ILLEGAL(6006, "{0} keeps state and cannot run unordered", "use ORDERED or PARTITION_ORDERED"),
    /** UNORDERED or partition-ordered relation. */
    UNORDERED_RELATION(6007, "{0} returns a relation and cannot run unordered", "wrap it in RStream( )"),
    /** A partition value that does not derive from the channel. */
    PARTITION_COMPUTED(6008, "a row of a channel does not determine {0}: it is computed from several rows",
        "use a value that can be computed from one row of the channel"),
    /** A window over the rows of several partitions. */
    PARTITION_WINDOW(6009, "{0} cannot run partition-ordered by {1}: its window {2} contains rows of all partitions",
        "use a window of time or PARTITION BY {1} ROWS n, or use ORDERED"),
    /** An aggregate over several partitions. */
    PARTITION_AGGREGATE(6010,
        "{0} cannot run partition-ordered by {1}: its aggregates read rows of all partitions and cannot be combined",
        "use count, min, max, sum of int or bigint or avg of int, or add GROUP BY {1}, or use ORDERED"),
    /** The top rows of several partitions. */
    PARTITION_TOP(6011, "{0} cannot run partition-ordered by {1}: ORDER BY ... ROWS {2} selects from all partitions",
        "write ROWS {2} PARTITION BY {1}, or use ORDERED"),
    /** DISTINCT without the partition value. */
    PARTITION_DISTINCT(6012, "{0} cannot run partition-ordered by {1}: DISTINCT compares rows of all partitions",
        "add {1} to the select list, or use ORDERED"),
    /** A join of several partitions. */
    PARTITION_JOIN(6013, "{0} cannot run partition-ordered by {1}: it joins rows of different partitions",
        "join both sides by an equality on {1}, or use ORDERED"),
    /** An outer join that preserves rows that all workers have. */
    PARTITION_OUTER(6014,
        "{0} cannot run partition-ordered by {1}: its outer join keeps rows that belong to all partitions",
        "let the outer join keep the side that has {1}, or use ORDERED"),
    /** A set operation over several partitions. */
    PARTITION_SET(6015, "{0} cannot run partition-ordered by {1}: {2} compares rows of all partitions",
        "select {1} in the same column on both sides, or use ORDERED"),
    /** RSTREAM over several partitions. */
    PARTITION_RSTREAM(6016,
        "{0} cannot run partition-ordered by {1}: RSTREAM emits the rows of all partitions when one changes",
        "use ISTREAM, or a window [now] without EVALUATE EVERY, or use ORDERED"),
    /** Rows of several partitions that enter and leave. */
    PARTITION_STREAM(6017, "{0} cannot run partition-ordered by {1}: {2} compares rows of all partitions",
        "add {1} to the columns that are compared, or use ORDERED"),
    /** A view with another partition expression. */
    PARTITION_VIEW(6018, "{0} cannot run partition-ordered by {1}: its view {2} is partitioned by {3}",
        "use the same partition-expression for both, or use ORDERED for one"),
    /** A rule without a partitioned stream. */
    PARTITION_STREAMLESS(6019, "{0} cannot run partition-ordered: it reads no stream that has {1}",
        "name a column of a stream, or use ORDERED"),
    /** A partition expression with a random function. */
    PARTITION_RANDOM(6020, "the partition expression calls {0}, whose result differs from call to call",
        "use a value that depends only on the row"),
    /** A source read twice with different partition values. */
    PARTITION_TWICE(6021, "partition expression {0} has different values for a row of {1}, which is read twice",
        "name the source: alias.column"),
    /** An operator that cannot be computed from changes that workers emit. */
    PARTITION_MERGED(6022, "{0} cannot run partition-ordered by {1}: {2}", "use ORDERED, or {3}"),

    /** A feature of CQL that this version does not support. */
    NOT_AVAILABLE(7001, "{0} is not available yet", "{1}"),

    /** A text that is too long. */
    TEXT_TOO_LONG(9001, "the statement has {0} characters, at most {1} are allowed", "split it into views"),
    /** A statement that is nested too deeply. */
    TOO_DEEP(9002, "the statement is nested deeper than {0} levels", "split it into views"),
    /** Planning took too long. */
    TOO_SLOW(9003, "planning took longer than {0} ms and was stopped", "split the statement into views"),
    /** Too many columns. */
    TOO_MANY_COLUMNS(9004, "{0} columns, at most {1} are allowed", "select fewer columns"),
    /** An expression with too many operations. */
    TOO_LARGE(9005, "the expression has more than {0} parts", "compute parts of it in a view"),
    /** A chain of operators that is too long. */
    TOO_MANY_TERMS(9006, "this chain of operators has more than {0} terms", "compute parts of it in a view"),
    /** A chain with a deep syntax tree: of divisions, or of alternating operators. */
    MIXED_CHAIN(9007, "this chain has more than {0} divisions or changes of its operator",
        "group terms of one operator, as in a + c - (b + d), or compute parts of it in a view"),
    /** An internal error in the planner. */
    INTERNAL(9999, "the planner failed on this statement: this is a bug of Millrace, not of the rule",
        "please report it with the statement, the event types and the server log (reference {0})");

    /** Maximum length of a statement. */
    public static final int MAX_TEXT_CHARS = 65_536;
    /** Maximum nesting depth of a statement. */
    public static final int MAX_NESTING = 200;
    /** Maximum number of operations in an expression, without those inside chains of one operator. */
    public static final int MAX_EXPRESSION = 3_000;
    /** Maximum number of terms in a chain of one operator. */
    public static final int MAX_TERMS = 10_000;
    /** Maximum number of operations in an expression, including all terms of its chains. */
    public static final int MAX_STATEMENT = 60_000;
    /** Maximum number of columns of a statement. */
    public static final int MAX_COLUMNS = 1_000;

    private final int number;
    private final String text;
    private final String hint;

    Message(final int number, final String text, final String hint)
    {
        this.number = number;
        this.text = text;
        this.hint = hint;
    }

    /**
     * The stable code.
     *
     * @return for example {@code CQL-2002}
     */
    public String code()
    {
        return "CQL-" + number;
    }

    /**
     * Severity of the message.
     *
     * @return a warning lets the rule run, an error does not
     */
    public Severity severity()
    {
        return this == ENDLESS_LOOP || this == OPEN_TAIL || this == LIKE_OF_SQL ? Severity.WARNING : Severity.ERROR;
    }

    /**
     * The documentation of the message.
     *
     * @return page and anchor, for example {@code docs/cql-errors.md#cql-2002}
     */
    public String documentation()
    {
        return "docs/cql-errors.md#cql-" + number;
    }

    /**
     * The message of a code, for example {@code CQL-2002}.
     *
     * @return the message, or {@code null}
     */
    public static Message byCode(final String code)
    {
        for (final Message message : values())
        {
            if (message.code().equals(code))
            {
                return message;
            }
        }
        return null;
    }

    /** Severity of a problem. */
    public enum Severity
    {
        /** The rule runs. */
        WARNING,
        /** The rule does not run. */
        ERROR
    }

    /**
     * The description.
     *
     * @param arguments values of the placeholders
     */
    public String text(final Object... arguments)
    {
        return fill(text, arguments);
    }

    /**
     * The advice; may be empty.
     *
     * @param arguments values of the placeholders
     */
    public String hint(final Object... arguments)
    {
        return fill(hint, arguments);
    }

    private static String fill(final String template, final Object... arguments)
    {
        final StringBuilder filled = new StringBuilder();
        for (int i = 0; i < template.length(); i++)
        {
            final char c = template.charAt(i);
            if (c == '{' && i + 2 < template.length() && template.charAt(i + 2) == '}' &&
                Character.isDigit(template.charAt(i + 1)))
            {
                final int position = template.charAt(i + 1) - '0';
                filled.append(position < arguments.length ? arguments[position] : "");
                i += 2;
            }
            else
            {
                filled.append(c);
            }
        }
        return filled.toString();
    }
}
