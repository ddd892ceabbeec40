package dev.millrace.cql.language.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.RuleText;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of syntax error: code, exact position and words. The position is marked with carets. */
@Timeout(60)
class SyntaxRefusalTest
{
    static Stream<Arguments> tokens()
    {
        return Stream.of(
            arguments(Message.UNEXPECTED_TOKEN, "select a from S where ^)^", "expected a value"),
            arguments(Message.UNEXPECTED_TOKEN, "select cont(^*^) from S", "no other function takes *"),
            arguments(Message.UNEXPECTED_TOKEN, "select sum(^*^) from S", "no other function takes *"),
            arguments(Message.UNEXPECTED_TOKEN, "select a from S[^5^]",
                "expected NOW, RANGE, ROWS, PARTITION BY or SESSION"),
            arguments(Message.UNEXPECTED_TOKEN, "select a from S[session ^5^ seconds]", "expected GAP"),
            arguments(Message.NOT_POSITIVE, "select a from S[session gap ^0 seconds^]", "must be more than 0"),
            arguments(Message.MISSPELT_KEYWORD, "select a from S[session gap 5 seconds ^partiton^ by a]",
                "did you mean PARTITION?"),
            arguments(Message.UNEXPECTED_TOKEN, "select a from S[range ^x^]", "expected a duration"),
            arguments(Message.UNEXPECTED_TOKEN, "select a from S[range until ^5^]", "expected a column name"),
            arguments(Message.UNEXPECTED_TOKEN, "select count(*) filter (^a^ > 1) from S", "expected WHERE"),
            arguments(Message.UNEXPECTED_TOKEN, "select lag(a) ^over^ (order by b) from S", "MATCH_RECOGNIZE"),
            arguments(Message.BAD_REGEXP, "select regexp_extract(a, ^'('^) from S", "Unclosed group"),
            arguments(Message.BAD_REGEXP, "select regexp_replace(a, 'b', ^'$1'^) from S", "No group 1"),
            arguments(Message.UNEXPECTED_TOKEN, "select a from S[now ^slide^ 5]", "expected ']'"),
            arguments(Message.UNEXPECTED_TOKEN, "select a from S[range unbounded ^slide^ 5]", "expected ']'"),
            arguments(Message.UNEXPECTED_TOKEN, "select a from S[range 5 on c ^slide^ 5]", "expected ']'"),
            arguments(Message.UNEXPECTED_TOKEN, "select a from S[partition by a ^range^ 5]", "expected ROWS"),
            arguments(Message.UNEXPECTED_TOKEN, "select a from S ^b^", "AS before an alias"),
            arguments(Message.UNEXPECTED_TOKEN, "select a from (select a from S) ^t^", "a name for the sub-query"),
            arguments(Message.UNEXPECTED_TOKEN, "select a from S left outer join T ^where^ a = b", "expected ON"),
            arguments(Message.UNEXPECTED_TOKEN, "select a from S order by a nulls ^middle^", "FIRST or LAST"),
            arguments(Message.UNEXPECTED_TOKEN, "select case 1 ^else^ 2 end from S", "expected WHEN"),
            arguments(Message.UNEXPECTED_TOKEN, "select interval ^5^ second from S", "',', AS or FROM"),
            arguments(Message.UNEXPECTED_TOKEN, "select f@java ^from^ S", "expected '(' and the arguments"),
            arguments(Message.UNEXPECTED_TOKEN, "select xmlforest(a + 1^)^ from S", "expected AS and a name"),
            arguments(Message.UNEXPECTED_TOKEN, "select a from S xmltable(^a^ columns n int path 'n') as X", "XQuery"),
            arguments(Message.UNEXPECTED_TOKEN, "select a from S xmltable('a'^)^ as X", "expected COLUMNS"),
            arguments(Message.UNEXPECTED_TOKEN, "IStream(select a from S) difference ^by^ (a)", "expected USING"),
            arguments(Message.UNEXPECTED_TOKEN, "select a from S evaluate ^all^", "expected EVERY"),
            arguments(Message.UNEXPECTED_END, "select a from S[range 5^ ^", "expected ']'"),
            arguments(Message.UNEXPECTED_END, "A union^ ^", "expected SELECT"),
            arguments(Message.MISSPELT_KEYWORD, "^selct^ a from S", "did you mean SELECT?"),
            arguments(Message.MISSPELT_KEYWORD, "^IStraem^(select a from S)", "did you mean ISTREAM?"),
            arguments(Message.MISSPELT_KEYWORD, "select a from S ^grup^ by a", "did you mean GROUP?"),
            arguments(Message.MISSPELT_KEYWORD, "select a from S ^ordr^ by a", "did you mean ORDER?"),
            arguments(Message.MISSPELT_KEYWORD, "select a from S[^partiton^ by a rows 1]", "did you mean PARTITION?"),
            arguments(Message.MISSPELT_KEYWORD, "select a from S[range 5 ^minuts^]", "did you mean MINUTES?"),
            arguments(Message.MISSPELT_KEYWORD, "select a from S[range 5 minutes ^slde^ 1]", "did you mean SLIDE?"),
            arguments(Message.MISSPELT_KEYWORD, "select a from S ^xmltabel^ ('x')", "did you mean XMLTABLE?"),
            arguments(Message.STRING_NOT_CLOSED, "select a from S where a = ^'^x", "add the closing '"),
            arguments(Message.BAD_QUOTED_NAME, "select ^`^a from S", "write `name`"),
            arguments(Message.UNKNOWN_CHARACTER, "select a ^%^ b from S", "character %"),
            arguments(Message.BAD_NUMBER, "select ^1x^ from S", "1x is not a number"),
            arguments(Message.NUMBER_OUT_OF_RANGE, "select ^99999999999999999999^ from S", "bigint"),
            arguments(Message.NUMBER_OUT_OF_RANGE, "select a from S[rows ^99999999999^]", "a number of rows"),
            arguments(Message.RESERVED_WORD, "select a as ^select^ from S", "choose another name or write `select`"),
            arguments(Message.RESERVED_WORD, "select a from ^order^", "order is a reserved word"),
            arguments(Message.COMMENT, "select a ^/*^ b */ from S", "outside the rule"),
            arguments(Message.COMMENT, "select a ^--^ b\n from S", "outside the rule"),
            arguments(Message.NOT_A_UNIT, "select a from S[range 5 ^min^]", "write 5 minutes"),
            arguments(Message.NOT_A_UNIT, "select a from S[range 1 ^h^]", "write 1 hour"),
            arguments(Message.NOT_A_UNIT, "select a from S[range 2 ^years^]", "no fixed length"),
            arguments(Message.NOT_A_UNIT, "select interval '1-2' ^year^ to month from S", "no fixed length"),
            arguments(Message.BAD_NUMBER, "select a from S[range ^5s^]", "write 5 seconds"),
            arguments(Message.BAD_NUMBER, "select a from S[range ^5d^]", "write 5 days"),
            arguments(Message.TEXT_AFTER_END, "select a from S order by a ^limit^ 3", "write rows 3"),
            arguments(Message.UNEXPECTED_TOKEN, "select a from S ^limit^ 3", "order by COLUMN rows 3"),
            arguments(Message.UNEXPECTED_TOKEN, "select ^top^ 3 a from S", "order by COLUMN rows 3"),
            arguments(Message.UNEXPECTED_TOKEN, "select a from ^tumble^(S, t, interval '5' second)",
                "write S[range 5 seconds slide 5 seconds]"),
            arguments(Message.UNEXPECTED_TOKEN, "select a from S#time^(^5 sec)", "write S[range 5 seconds]"),
            arguments(Message.UNEXPECTED_TOKEN, "select a from S^.^win:time(1 hour)", "write S[range 1 hour]"),
            arguments(Message.EMPTY_STATEMENT, "^ ^", "write select"),
            arguments(Message.TEXT_AFTER_END, "select a from S where a > 1 ^;^", "one rule is one statement"),
            arguments(Message.TEXT_AFTER_END, "V ^order^ by a", "unexpected 'order'"));
    }

    static Stream<Arguments> statements()
    {
        return Stream.of(
            arguments(Message.FULL_OUTER_JOIN, "select a from S ^full outer join^ T on a = b",
                "use LEFT OUTER JOIN or RIGHT OUTER JOIN"),
            arguments(Message.FULL_OUTER_JOIN, "select a from S ^full join^ T on a = b", "RIGHT"),
            arguments(Message.DIFFERENCE_AFTER_RSTREAM, "RStream(select a from S) ^difference using (a)^", "IStream"),
            arguments(Message.INNER_JOIN, "select a from S ^inner join^ T on a = b", "INNER JOIN is not part of CQL"),
            arguments(Message.INNER_JOIN, "select a from S ^join^ T on a = b", "condition into WHERE"),
            arguments(Message.INNER_JOIN, "select a from S ^cross join^ T", "CROSS JOIN"),
            arguments(Message.ORDER_NOT_LAST, "select a from S ^order by a^ union select b from T", "at the end"),
            arguments(Message.ORDER_NOT_LAST, "A union select b from T ^order by b rows 2^ minus C", "parentheses"),
            arguments(Message.NOT_POSITIVE, "select a from S[rows ^0^]", "ROWS must be more than 0"),
            arguments(Message.NOT_POSITIVE, "select a from S[rows 5 slide ^0^]", "SLIDE must be"),
            arguments(Message.NOT_POSITIVE, "select a from S[rows ^-1^]", "not -1"),
            arguments(Message.NOT_POSITIVE, "select a from S[range ^0 seconds^]", "a duration must be"),
            arguments(Message.NOT_POSITIVE, "select a from S[range 5 slide ^0^]", "a duration must be"),
            arguments(Message.NOT_POSITIVE, "select a from S[range ^interval '-1' second^]", "positive"),
            arguments(Message.NOT_POSITIVE, "select a from S[range ^0^ on c]", "RANGE"),
            arguments(Message.NOT_POSITIVE, "select a from S order by a rows ^0^", "ROWS"),
            arguments(Message.NOT_POSITIVE, "select a from S evaluate every ^0 days^", "0"),
            arguments(Message.NOT_WHOLE, "select a from S[rows ^2.5^]", "2.5 is not a whole number"),
            arguments(Message.TIME_TOO_LONG, "select a from S[range ^999999 days^]", "292 years"),
            arguments(Message.TIME_TOO_FINE, "select a from S[range ^0.5 nanoseconds^]", "1 nanosecond"),
            arguments(Message.BAD_INTERVAL, "select ^interval '5 x' day^ from S", "5 x is not an interval"),
            arguments(Message.BAD_INTERVAL, "select ^interval '0 25:00:00' day to second^ from S", "25:00:00"),
            arguments(Message.BAD_INTERVAL, "select ^interval '5' second to day^ from S", "INTERVAL"),
            arguments(Message.BAD_TIMESTAMP, "select timestamp ^'soon'^ from S", "soon is not a timestamp"),
            arguments(Message.BAD_TIMESTAMP, "select timestamp ^'2026-02-30T00:00:00'^ from S", "2026-02-30"),
            arguments(Message.BAD_PATTERN, "select a from S where a like ^'(x'^", "Unclosed group"),
            arguments(Message.BAD_PATTERN, "select a from S where a not like ^'*'^", "java.util.regex"),
            arguments(Message.LIKE_NOT_CONSTANT, "select a from S where a like ^b^", "regular expression in quotes"),
            arguments(Message.LIKE_NOT_CONSTANT, "select a from S where a like ^f(b)^", "constant string"),
            arguments(Message.SUB_QUERY, "select a from S where a ^in (^select b from T)", "in a condition"),
            arguments(Message.SUB_QUERY, "select ^(^select b from T) from S", "as a value"),
            arguments(Message.BAD_HEX, "select ^x'0G'^ from S", "two digits per byte"),
            arguments(Message.BAD_HEX, "select ^X'012'^ from S", "012"),
            arguments(Message.ARGUMENT_COUNT, "select ^decode(a, 1)^ from S", "at least 3 arguments, not 2"),
            arguments(Message.ARGUMENT_COUNT, "select ^sum(a, b)^ from S", "one argument, not 2"),
            arguments(Message.ARGUMENT_COUNT, "select ^sum()^ from S", "one argument, not 0"),
            arguments(Message.ONLY_IN_PATTERN, "select count(^A.*^) from S", "MATCH_RECOGNIZE"),
            arguments(Message.PLACEHOLDER_UNBOUND, "select a from S where a = ^:1^", "add a binding"));
    }

    @ParameterizedTest
    @MethodSource({"tokens", "statements"})
    void shouldRefuseAtTheExactPlaceWhenTextIsNoStatement(
        final Message message, final String textWithCarets, final String part)
    {
        final int from = textWithCarets.indexOf('^');
        final int to = textWithCarets.lastIndexOf('^') - 1;
        final boolean atEnd = message == Message.UNEXPECTED_END || message == Message.EMPTY_STATEMENT;
        final CqlRuleException refusal = refusal(textWithCarets.replace(atEnd ? "^ ^" : "^", ""));
        assertThat(refusal.message()).isEqualTo(message);
        assertThat(refusal.text() + "; " + refusal.hint()).contains(part);
        assertThat(refusal.position().getLineNum()).isEqualTo(1);
        assertThat(refusal.position().getColumnNum()).as("start").isEqualTo(from + 1);
        if (!atEnd && to > from)
        {
            assertThat(refusal.position().getEndColumnNum()).as("end").isEqualTo(to);
        }
    }

    private static CqlRuleException refusal(final String text)
    {
        final CqlRuleException refusal = catchThrowableOfType(CqlRuleException.class,
            () -> StatementParser.parse(text));
        assertThat(refusal).as(text).isNotNull();
        return refusal;
    }

    @Test
    void shouldRefuseValuesThatDoNotFitThePlaceholders()
    {
        final RuleText query = RuleText.query("q", "select :1 from S where a = :2");
        assertThat(bound(query, "1")).isEqualTo(Message.PLACEHOLDER_WITHOUT_VALUE);
        assertThat(bound(query, "1", "2", "3")).isEqualTo(Message.PARAMETER_COUNT);
        assertThat(bound(RuleText.query("q", "select :1 from S where a = :1"), "1"))
            .isEqualTo(Message.PLACEHOLDER_TWICE);
        assertThat(bound(RuleText.query("q", "select :0 from S"), "1")).isEqualTo(Message.BAD_PLACEHOLDER);
        assertThat(bound(RuleText.query("q", "select :1.5 from S"), "1")).isEqualTo(Message.BAD_PLACEHOLDER);
        assertThat(bound(RuleText.view("v", "select :1 from S"), "1")).isEqualTo(Message.PLACEHOLDER_IN_VIEW);
    }

    private static Message bound(final RuleText rule, final String... values)
    {
        return catchThrowableOfType(CqlRuleException.class,
            () -> StatementParser.parse(rule.bound("p", List.of(values)))).message();
    }

    @Test
    void shouldShowThePlaceholderWhenItsValueIsWrong()
    {
        final CqlRuleException refusal = catchThrowableOfType(CqlRuleException.class, () -> StatementParser.parse(
            RuleText.query("q", "select a from S[range :1]").bound("p", List.of("soon"))));
        assertThat(refusal.message()).isEqualTo(Message.UNEXPECTED_TOKEN);
        assertThat(refusal.position().getColumnNum()).isEqualTo(23);
        assertThat(refusal.position().getEndColumnNum()).isEqualTo(24);
    }

    @Test
    void shouldRefuseQuicklyWhenStatementIsTooLarge()
    {
        assertThat(refusal("select a from S where c = '" + "x".repeat(70_000) + "'").message())
            .isEqualTo(Message.TEXT_TOO_LONG);
        assertThat(refusal("select " + "(".repeat(10_000) + "a" + ")".repeat(10_000) + " from S").message())
            .isEqualTo(Message.TOO_DEEP);
        assertThat(refusal("(".repeat(10_000) + "select a from S" + ")".repeat(10_000)).message())
            .isEqualTo(Message.TOO_DEEP);
        assertThat(refusal("select " + "- ".repeat(10_000) + "a from S").message()).isEqualTo(Message.TOO_DEEP);
        assertThat(refusal("select a from S where " + "not ".repeat(10_000) + "a").message())
            .isEqualTo(Message.TOO_DEEP);
        assertThat(refusal("select a from S where a = 1" + " + 1".repeat(10_000)).message())
            .isEqualTo(Message.TOO_MANY_TERMS);
        assertThat(refusal("V" + " union V".repeat(7_000)).message()).isEqualTo(Message.TOO_DEEP);
        assertThat(refusal("select a from S" + " left join S on a=a".repeat(3_000)).message())
            .isEqualTo(Message.TOO_DEEP);
        assertThat(refusal("select f" + ".f()".repeat(10_000) + " from S").message()).isEqualTo(Message.TOO_DEEP);
        assertThat(refusal("select " + IntStream.range(0, 10_000).mapToObj(i -> "a").collect(Collectors.joining(",")) +
            " from S").message()).isEqualTo(Message.TOO_MANY_COLUMNS);
        final String nested = "decode(".repeat(60) + "a" + ", b, c, d, e)".repeat(60);
        assertThat(refusal("select " + nested + " from S").message()).isEqualTo(Message.TOO_LARGE);
    }

    @Test
    void shouldReadManyBranchesAndCandidatesWhenTheyAreNotNested()
    {
        final String list = IntStream.range(0, 5_000).mapToObj(String::valueOf).collect(Collectors.joining(","));
        final Statement statement = StatementParser.parse("select a from S where a in (" + list + ")");
        assertThat(((Query.Select) statement.query()).where()).isNotNull();
    }

    @Test
    void shouldProvokeEveryEntryAboutTexts()
    {
        final Set<Message> provoked = EnumSet.of(Message.PLACEHOLDER_WITHOUT_VALUE, Message.PARAMETER_COUNT,
            Message.PLACEHOLDER_TWICE, Message.BAD_PLACEHOLDER, Message.PLACEHOLDER_IN_VIEW,
            // BAD_XQUERY and BAD_JSON_PATH need the functions module: the planner's tests provoke them, and also the
            // warning, which is not a refusal.
            Message.BAD_XQUERY, Message.BAD_JSON_PATH, Message.LIKE_OF_SQL);
        Stream.concat(tokens(), statements()).forEach(row -> provoked.add((Message) row.get()[0]));
        assertThat(provoked).containsAll(Stream.of(Message.values())
            .filter(message -> message.code().startsWith("CQL-1")).toList());
    }
}
