package dev.millrace.cql.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.RuleText;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of error: code, exact position and words of the message. The position is marked with carets. */
@Timeout(60)
class RefusalTest
{
    private static final String MATCH = "select T.x from N match_recognize (";

    static Stream<Arguments> syntax()
    {
        return Stream.of(
            arguments(Message.MISSPELT_KEYWORD, "^selct^ i from A", "did you mean SELECT?"),
            arguments(Message.MISSPELT_KEYWORD, "^RStrem^(select i from A[now])", "did you mean RSTREAM?"),
            arguments(Message.MISSPELT_KEYWORD, "select i ^form^ A", "did you mean FROM?"),
            arguments(Message.MISSPELT_KEYWORD, "select i from A ^wher^ i > 1", "did you mean WHERE?"),
            arguments(Message.MISSPELT_KEYWORD, "select i from A where i > 1 ^adn^ i < 5", "did you mean AND?"),
            arguments(Message.MISSPELT_KEYWORD, "select i from A[^nwo^]", "did you mean NOW?"),
            arguments(Message.MISSPELT_KEYWORD, "select i from A[^rnge^ 5 seconds]", "did you mean RANGE?"),
            arguments(Message.MISSPELT_KEYWORD, "select i from A[range 5 ^secnds^]", "did you mean SECONDS?"),
            arguments(Message.MISSPELT_KEYWORD, "select x from A ^match_recognise^ (pattern (A))",
                "did you mean MATCH_RECOGNIZE?"),
            arguments(Message.MISSPELT_KEYWORD,
                MATCH + "measures A.c1 as x pattern (A) ^defin^ A as A.c2 = 1) as T", "did you mean DEFINE?"),
            arguments(Message.UNEXPECTED_TOKEN, "select i from A where ^)^", "unexpected ')', expected a value"),
            arguments(Message.UNEXPECTED_END, "select i +^ ^", "expected a value"),
            arguments(Message.UNEXPECTED_TOKEN, "select i from A ^b^", "AS before an alias"),
            arguments(Message.UNEXPECTED_TOKEN, "select i from A[now ^as^ T", "expected ']'"),
            arguments(Message.UNEXPECTED_TOKEN, "select 1 + A.^*^ from A", "expected a column name"),
            arguments(Message.UNEXPECTED_END, "select i from^ ^", "expected a channel, cache or view"),
            arguments(Message.UNEXPECTED_END, "RStream(select i from A[now]^ ^", "expected ')'"),
            arguments(Message.STRING_NOT_CLOSED, "select i from A where c = ^'^abc", "closing '"),
            arguments(Message.BAD_QUOTED_NAME, "select ^`^i from A", ""),
            arguments(Message.UNKNOWN_CHARACTER, "select i from A where i ^%^ 2 = 0", "character % has no meaning"),
            arguments(Message.UNKNOWN_CHARACTER, "select i ^\u0001^ from A", "U+0001"),
            arguments(Message.BAD_NUMBER, "select ^12abc^ from A", "12abc is not a number"),
            arguments(Message.BAD_NUMBER, "select ^1.5L^ from A", ""),
            arguments(Message.NUMBER_OUT_OF_RANGE, "select ^99999999999999999999^ from A", "bigint"),
            arguments(Message.NUMBER_OUT_OF_RANGE, "select ^1e400^ from A", "double"),
            arguments(Message.NUMBER_OUT_OF_RANGE, "select ^1e39f^ from A", "float"),
            arguments(Message.NUMBER_OUT_OF_RANGE, "select ^1e999999999^ from A", ""),
            arguments(Message.RESERVED_WORD, "select i as ^order^ from A", "order is a reserved word"),
            arguments(Message.COMMENT, "select i ^/*^ one */ from A", "comments are not supported"),
            arguments(Message.EMPTY_STATEMENT, "^ ^", "the statement is empty"),
            arguments(Message.TEXT_AFTER_END, "select i from A where i > 1 ^;^", "';'"),
            arguments(Message.TEXT_AFTER_END, "select i from A where i > 1 ^)^", ""),
            arguments(Message.FULL_OUTER_JOIN, "select A.i from A ^full outer join^ N on A.i = N.c1",
                "use LEFT OUTER JOIN or RIGHT OUTER JOIN"),
            arguments(Message.DIFFERENCE_AFTER_RSTREAM,
                "RStream(select i from A[now]) ^difference using (i)^", "IStream and DStream"),
            arguments(Message.INNER_JOIN, "select A.i from A ^inner join^ N on A.i = N.c1", "condition into WHERE"),
            arguments(Message.ORDER_NOT_LAST, "select i from A ^order by i^ union select c1 from N", "at the end"),
            arguments(Message.NOT_POSITIVE, "select i from A[rows ^0^]", "ROWS must be more than 0"),
            arguments(Message.NOT_WHOLE, "select i from A[rows ^2.5^]", "not a whole number"),
            arguments(Message.TIME_TOO_LONG, "select i from A[range ^999999 days^]", "292 years"),
            arguments(Message.TIME_TOO_FINE, "select i from A[range ^0.5 nanoseconds^]", "1 nanosecond"),
            arguments(Message.BAD_INTERVAL, "select ^interval 'x' day^ from A", "x is not an interval"),
            arguments(Message.BAD_TIMESTAMP, "select i from A where t > ^'yesterday'^", "yesterday is not a timestamp"),
            arguments(Message.BAD_PATTERN, "select i from A where c like ^'(x'^", "java.util.regex"),
            arguments(Message.LIKE_NOT_CONSTANT, "select i from A where c like ^c2^", "regular expression in quotes"),
            arguments(Message.SUB_QUERY, "select i from A where i ^in (^select c1 from N)", "in a condition"),
            arguments(Message.BAD_HEX, "select ^x'0G'^ from A", "two digits per byte"),
            arguments(Message.PLACEHOLDER_UNBOUND, "select i from A where i = ^:1^", "add a binding"));
    }

    static Stream<Arguments> names()
    {
        return Stream.of(
            arguments(Message.UNKNOWN_SOURCE, "select symbol from ^StockTickStrem^",
                "StockTickStrem is not a channel, cache or view that this processor can read; " +
                "did you mean StockTickStream?"),
            arguments(Message.UNKNOWN_SOURCE, "select x from ^zzzzzz^", "known: StockTickStream, N"),
            arguments(Message.UNKNOWN_COLUMN, "select T.^lastPrize^ from StockTickStream as T",
                "T has no column lastPrize; did you mean lastPrice?"),
            arguments(Message.UNKNOWN_COLUMN, "select\n  ^nothing^\nfrom StockTickStream",
                "columns: symbol, lastPrice, volume"),
            arguments(Message.UNKNOWN_COLUMN, "select i from A where ^j^ > 1", "A has no column j"),
            arguments(Message.UNKNOWN_COLUMN, "select i from A group by ^zz^", ""),
            arguments(Message.UNKNOWN_COLUMN, "select sum(i) from A having sum(^zz^) > 1", ""),
            arguments(Message.AMBIGUOUS_COLUMN, "RStream(select ^symbol^ from StockTickStream[now] as T, " +
                "symbolsRelation as R where T.symbol = R.symbol)", "qualify it: T.symbol or R.symbol"),
            arguments(Message.UNKNOWN_QUALIFIER, "select ^Q^.i from A as T", "sources: T"),
            arguments(Message.UNKNOWN_QUALIFIER, "select ^A^.i from A as T", ""),
            arguments(Message.UNKNOWN_FUNCTION, "select ^summ^(i) from A", "did you mean sum?"),
            arguments(Message.UNKNOWN_FUNCTION, "select ^frobnicate^(i) from A", "functions are those of CQL"),
            arguments(Message.DUPLICATE_ALIAS, "select T.i from A[now] as T, N as ^T^", "two sources are called T"),
            arguments(Message.DUPLICATE_COLUMN, "select i as x, d as ^X^ from A", "two columns are called X"));
    }

    static Stream<Arguments> types()
    {
        return Stream.of(
            arguments(Message.OPERAND_TYPES, "select ^c * i^ from A", "* cannot be applied to char and int"),
            arguments(Message.OPERAND_TYPES, "select i from A where ^b = i^", "boolean and int"),
            arguments(Message.OPERAND_TYPES, "select i from A where ^t > i^", "timestamp and int"),
            arguments(Message.OPERAND_TYPE, "select ^-c^ from A", "it needs a number"),
            arguments(Message.OPERAND_TYPE, "select i from A where ^x = x^", "xmltype"),
            arguments(Message.NOT_A_CONDITION, "select i from A where ^d^", "a value of type double"),
            arguments(Message.NOT_A_CONDITION, "select i from A where i > 1 and ^c^", "char"),
            arguments(Message.NOT_A_CONDITION, "select i, count(*) from A group by i having ^count(*)^", "bigint"),
            arguments(Message.NOT_A_CONDITION,
                MATCH + "measures A.c1 as x pattern (A) define A as ^A.c2^) as T", "int"),
            arguments(Message.NOT_A_VALUE, "select ^i > 1^ from A", "a condition cannot be used as a value here"),
            arguments(Message.NOT_A_VALUE, "select i from A where (^i > 1^) = (i > 2)", ""),
            arguments(Message.NOT_A_VALUE, "select count(^i > 1^) from A", ""),
            arguments(Message.AGGREGATE_IN_WHERE, "select count(*) as n from A group by ^n^", "GROUP BY"),
            arguments(Message.BOOLEAN_ORDER, "select i from A where ^b < true^", "use = or <>"),
            arguments(Message.AGGREGATE_TYPE, "select ^sum(c)^ from A", "sum cannot aggregate char"),
            arguments(Message.AGGREGATE_TYPE, "select ^avg(b)^ from A", "boolean"),
            arguments(Message.BRANCH_TYPES, "select case when b then i else ^t^ end from A", "int and timestamp"));
    }

    static Stream<Arguments> statements()
    {
        final String cacheJoin = "RStream(select T.i from A[now] as T, byNumber as R where ";
        return Stream.of(
            arguments(Message.TABLE_ALONE, "select T.x from ^table(f(1) as x)^ as T", "cannot be read alone"),
            arguments(Message.SET_COLUMNS, "select i from A ^union^ select i, l from A", "have 1 and 2 columns"),
            arguments(Message.SET_TYPES, "select i, c from A ^union all^ select i, t from A", "char and timestamp"),
            arguments(Message.AGGREGATE_IN_WHERE, "select i from A where ^sum(i)^ > 1", "use HAVING"),
            arguments(Message.AGGREGATE_IN_WHERE, "select i from A group by ^max(i)^", "GROUP BY"),
            arguments(Message.NESTED_AGGREGATE, "select sum(^max(i)^) from A", "cannot be nested"),
            arguments(Message.NOT_GROUPED, "select ^c^, sum(i) from A", "c is neither grouped nor aggregated"),
            arguments(Message.NOT_GROUPED, "select i, ^d^ from A group by i", "d is neither"),
            arguments(Message.NOT_GROUPED, "select i from A group by i having ^d^ > 1", ""),
            arguments(Message.HAVING_WITHOUT_AGGREGATE, "select i from A having ^i > 1^", "use WHERE"),
            arguments(Message.WINDOW_ON_RELATION, "select * from Rel^[now]^", "Rel is a relation"),
            arguments(Message.WINDOW_ON_CACHE, "RStream(select T.symbol from StockTickStream[now] as T, " +
                "symbolsRelation^[now]^ as R where T.symbol = R.symbol)", "cannot have a window"),
            arguments(Message.CACHE_ALONE, "select * from ^symbolsRelation^", "cannot be read alone"),
            arguments(Message.CACHE_WITHOUT_NOW, "RStream(select T.i from ^A^ as T, byNumber as R " +
                "where T.i = R.id)", "write A[now]"),
            arguments(Message.CACHE_WITHOUT_KEY, "RStream(select T.i from A[now] as T, ^byNumber^ as R)",
                "add a condition R.id = ..."),
            arguments(Message.CACHE_WITHOUT_KEY, cacheJoin + "^T.c = R.n^)", "its key id"),
            arguments(Message.CACHE_WITHOUT_KEY, cacheJoin + "^T.i = R.id or T.i = 1^)", ""),
            arguments(Message.CACHE_KEY_FIRST, cacheJoin + "^T.c = R.n^ and T.i = R.id)", ""),
            arguments(Message.CACHE_KEY_ARITHMETIC, cacheJoin + "T.i = ^R.id^ + 1)", ""),
            arguments(Message.CACHE_KEY_TYPE, cacheJoin + "^T.d = R.id^)", "is bigint, it is compared with double"),
            arguments(Message.SET_COLUMNS, "A ^minus^ N", "the sides of MINUS have 14 and 2 columns"),
            arguments(Message.SET_TYPES, "select i from A ^union^ select k from S2", "int and char"),
            arguments(Message.ARGUMENT_COUNT, "select ^sum(i, l)^ from A", "sum takes one argument, not 2"),
            arguments(Message.NEEDS_STREAM, "select T.x from ^Rel^ match_recognize (measures A.symbol as x " +
                "pattern (A) define A as A.lotSize = 1) as T", "MATCH_RECOGNIZE needs a stream, Rel is a relation"));
    }

    static Stream<Arguments> patterns()
    {
        return Stream.of(
            arguments(Message.DEFINE_UNKNOWN,
                MATCH + "measures A.c1 as x pattern (A) define A as A.c2 = 1, ^B^ as B.c2 = 2) as T",
                "variable B is defined but does not occur in PATTERN"),
            arguments(Message.DEFINE_SUBSET,
                MATCH + "measures A.c1 as x pattern (A B) subset U = (A, B) define ^U^ as U.c2 = 1) as T", ""),
            arguments(Message.DEFINE_TWICE,
                MATCH + "measures A.c1 as x pattern (A) define A as A.c2 = 1, ^A^ as A.c2 = 2) as T",
                "variable A is defined twice"),
            arguments(Message.SUBSET_MEMBER,
                MATCH + "measures A.c1 as x pattern (A B) subset U = (A, ^X^) define A as A.c2 = 1) as T",
                "X in SUBSET is not a variable of PATTERN"),
            arguments(Message.SUBSET_NAME,
                MATCH + "measures A.c1 as x pattern (A B) subset ^B^ = (A) define A as A.c2 = 1) as T", ""),
            arguments(Message.PREV_OTHER_VARIABLE,
                MATCH + "measures A.c1 as x pattern (A B) define B as B.c2 < ^prev(A.c2, 2)^) as T",
                "prev in DEFINE may use only the variable being defined, B"),
            arguments(Message.WITHIN_AND_DURATION, MATCH + "measures A.c1 as x include timer events pattern (A B) " +
                "within 5 seconds ^duration^ 5 define A as A.c2 = 1) as T", "cannot be combined"),
            arguments(Message.DURATION_NEEDS_TIMER,
                MATCH + "measures A.c1 as x pattern (A B) ^duration^ 5 define A as A.c2 = 1) as T", ""),
            arguments(Message.TIMER_NEEDS_DURATION, MATCH +
                "measures A.c1 as x ^include timer events^ pattern (A B) define A as A.c2 = 1) as T", ""),
            arguments(Message.NOT_A_MEASURE, "select T.^c2^ from N match_recognize (measures A.c1 as x pattern (A) " +
                "define A as A.c2 = 1) as T", "only measures can be selected: x"),
            arguments(Message.NOT_A_MEASURE, "select T.^element_time^ from N match_recognize (measures A.c1 as x " +
                "pattern (A) define A as A.c2 = 1) as T", "only measures can be selected: x"),
            arguments(Message.CLAUSE_ORDER, MATCH + "measures A.c1 as x include timer events pattern (A) " +
                "subset U = (A) ^duration^ 3 define A as A.c2 = 1) as T", "DURATION must come before SUBSET"),
            arguments(Message.OFFSET_NOT_CONSTANT,
                MATCH + "measures last(A.c1, ^A.c2^) as x pattern (A B) define A as A.c2 = 1) as T",
                "the offset of last must be a constant"),
            arguments(Message.OFFSET_NOT_CONSTANT,
                MATCH + "measures prev(A.c1, ^-1^) as x pattern (A B) define A as A.c2 = 1) as T", ""),
            arguments(Message.UNKNOWN_VARIABLE,
                MATCH + "measures ^X^.c1 as x pattern (A) define A as A.c2 = 1) as T",
                "correlation variable X is unknown"),
            arguments(Message.UNKNOWN_COLUMN,
                MATCH + "measures A.^zz^ as x pattern (A) define A as A.c2 = 1) as T", "columns: c1, c2"),
            arguments(Message.UNKNOWN_COLUMN, MATCH + "partition by ^zz^ measures A.c1 as x pattern (A) " +
                "define A as A.c2 = 1) as T", ""),
            arguments(Message.DUPLICATE_MEASURE, MATCH + "measures A.c1 as x, A.c2 as ^X^ pattern (A) " +
                "define A as A.c2 = 1) as T", ""),
            arguments(Message.CLAUSE_ORDER, MATCH + "measures A.c1 as x ^define^ A as A.c2 = 1 pattern (A)) as T",
                "PATTERN must come before DEFINE"),
            arguments(Message.CLAUSE_ORDER, MATCH + "measures A.c1 as x ^partition^ by c1 pattern (A) " +
                "define A as A.c2 = 1) as T", "PARTITION BY must come before MEASURES"),
            arguments(Message.CLAUSE_MISSING, MATCH + "measures A.c1 as x pattern (A)^)^ as T", "needs DEFINE"),
            arguments(Message.CLAUSE_MISSING, MATCH + "pattern (A) define A as A.c1 = 1^)^ as T", "needs MEASURES"),
            arguments(Message.CLAUSE_TWICE, MATCH + "measures A.c1 as x ^measures^ A.c1 as y pattern (A) " +
                "define A as A.c2 = 1) as T", ""),
            arguments(Message.EMPTY_PATTERN, MATCH + "measures A.c1 as x pattern (^)^ define A as A.c2 = 1) as T", ""),
            arguments(Message.QUANTIFIER_TWICE,
                MATCH + "measures A.c1 as x pattern (A+?^*^) define A as A.c2 = 1) as T", ""),
            arguments(Message.ONLY_IN_PATTERN, "select ^prev(i)^ from A", "can only be used in MATCH_RECOGNIZE"),
            arguments(Message.NESTED_AGGREGATE,
                MATCH + "measures sum(^count(A.c1)^) as x pattern (A B) define A as A.c2 = 1) as T", ""),
            arguments(Message.PATTERN_ORDER,
                MATCH + "order by ^c1^ measures A.c1 as x pattern (A) define A as A.c2 = 1) as T", "ELEMENT_TIME"),
            arguments(Message.EXCLUSION_NEEDS_ALL_ROWS, MATCH +
                "measures A.c1 as x pattern (A ^{- B -}^) define A as A.c2 = 1) as T", "ALL ROWS PER MATCH"),
            arguments(Message.WINDOW_BEFORE_PATTERN, "select T.x from N^[now]^ match_recognize (measures A.c1 as x " +
                "pattern (A) define A as A.c2 = 1) as T", ""));
    }

    static Stream<String> available()
    {
        final String tail = " define A as A.c2 = 1) as T";
        return Stream.of(
            "select distinct i from A",
            "select i from A order by i desc nulls first rows 3 partition by c",
            "select i from A[range 5 seconds slide 1 minute]",
            "select i from A[range 5 on l]",
            "select i from A[rows 10 slide 2]",
            "select i from A[partition by c rows 3 range 2 hours]",
            "select i from A union all select l from A",
            "select A.i from A left outer join N on A.i = N.c1",
            "select i from (select i from A) as V",
            "select i from A evaluate every 5 seconds",
            "IStream(select i from A) difference using (i)",
            "DStream(select i from A)",
            "IStream(select i from A[now])",
            "IStream(select sum(i) from A)",
            "RStream(select i from A)",
            "select sum(i) from A[now]",
            "select i from A where c like 'M'",
            "select case when i > 1 then 2 else 3 end from A",
            "select c || c2 from A",
            "select interval '0 00:00:05.00' day to second from A",
            "select count(distinct i) from A",
            "select m + 1 from A",
            "select t - t from A",
            "select i from A where m = 1",
            "select i from A where c = 10",
            "select i from A where t > '01/01/2026 00:00:00'",
            "select min(c) from A",
            "select * from Rel",
            "select A.i from A[now], N[now] where A.i = N.c1",
            "select A.i from A[now], byNumber as R where A.i = R.id",
            "RStream(select T.i from A[now] as T, byNumber as R where R.id = 5)",
            "RStream(select sum(T.i) from A[now] as T, byNumber as R where R.id = T.i)",
            MATCH + "measures A.c1 as x pattern (A+ B)" + tail,
            MATCH + "measures A.c1 as x pattern (A{2,3}? B)" + tail,
            MATCH + "measures A.c1 as x pattern (A | B)" + tail,
            MATCH + "measures A.c1 as x pattern (A (B C))" + tail,
            MATCH + "measures A.c1 as x pattern (A A)" + tail,
            MATCH + "measures A.c1 as x pattern (permute(A, B))" + tail,
            MATCH + "measures A.c1 as x pattern (A B) within inclusive 5 seconds" + tail,
            MATCH + "measures A.c1 as x include timer events pattern (A B) duration multiples of 5" + tail,
            MATCH + "measures A.c1 as x pattern (A B) subset U = (A, B)" + tail,
            MATCH + "measures A.c1 as x all rows per match pattern (A B)" + tail,
            MATCH + "measures A.c1 as x after match skip to next row pattern (A B)" + tail,
            MATCH + "measures sum(A.c1) as x pattern (A B)" + tail,
            MATCH + "measures prev(A.c1, 1, 2) as x pattern (A B)" + tail,
            MATCH + "measures prev(A.c1 + 1) as x pattern (A B)" + tail,
            MATCH + "measures prev(last(A.c1)) as x pattern (A B)" + tail,
            MATCH + "measures classifier() as x pattern (A B)" + tail);
    }

    @ParameterizedTest
    @MethodSource({"syntax", "types", "statements", "patterns"})
    void shouldRefuseAtTheExactPlaceWhenStatementIsWrong(
        final Message message, final String textWithCarets, final String part)
    {
        PlanFixture.fails(message, textWithCarets, part);
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldNameTheNearestWhenNameIsUnknown(final Message message, final String textWithCarets, final String part)
    {
        PlanFixture.fails(message, textWithCarets, part);
    }

    @ParameterizedTest
    @MethodSource("available")
    void shouldPlanWhateverTheLanguageHas(final String text)
    {
        assertThat(PlanFixture.query(text).plan()).isNotNull();
    }

    @Test
    void shouldHaveUniqueCodes()
    {
        assertThat(Stream.of(Message.values()).map(Message::code).distinct()).hasSameSizeAs(Message.values());
    }

    @Test
    void shouldReportTheProblemsOfAllRulesTogether()
    {
        final List<String> codes = PlanFixture.rules(RuleText.query("one", "selct i from A"),
            RuleText.query("two", "select j from A"), RuleText.query("three", "select i from A"),
            RuleText.query("four", "select i from B")).problems().stream().map(problem -> problem.ruleId() + ' ' +
                problem.code()).toList();
        assertThat(codes).containsExactly("one CQL-1014", "two CQL-2002", "four CQL-2001");
    }
}
