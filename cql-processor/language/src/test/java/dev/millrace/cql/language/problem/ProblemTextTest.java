package dev.millrace.cql.language.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Display of problems. */
@Timeout(60)
class ProblemTextTest
{
    private static final List<String> NAMES = List.of("symbol", "lastPrice", "volume");

    @Test
    void shouldUnderlineThePlaceAndKeepTabs()
    {
        final RuleText rule = RuleText.query("q", "select\n\tlastPrize\nfrom S");
        final CqlProblem problem = new CqlRuleException(Message.UNKNOWN_COLUMN, new SqlParserPos(2, 2, 2, 10), "S",
            "lastPrize",
            "lastPrice").problemOf(rule);
        assertThat(problem.excerpt()).isEqualTo("\tlastPrize\n\t^^^^^^^^^");
        assertThat(problem.toString()).startsWith("CQL-2002 q:2:2: S has no column lastPrize; columns: lastPrice");
    }

    @Test
    void shouldPutCaretsUnderThePlaceWhateverTheWidthOfTheCharactersBefore()
    {
        assertThat(excerpt("'\u65e5\u672c' x")).endsWith("\n       ^");
        assertThat(excerpt("'\ud83d\ude00' x")).endsWith("\n     ^");
        assertThat(excerpt("'e\u0301' x")).endsWith("\n    ^");
        assertThat(excerpt("'\u30ab\uff21' x")).endsWith("\n       ^");
        assertThat(excerpt("'\u00e9\u2192' x")).endsWith("\n     ^");
    }

    @Test
    void shouldUnderlineWideCharactersWhole()
    {
        final String excerpt = new CqlRuleException(Message.EMPTY_STATEMENT, new SqlParserPos(1, 3, 1, 4))
            .problemOf(RuleText.query("q", "a \u65e5\u672c b")).excerpt();
        assertThat(excerpt).endsWith("\n  ^^^^");
    }

    private static String excerpt(final String text)
    {
        final int column = text.indexOf('x') + 1;
        return new CqlRuleException(Message.EMPTY_STATEMENT, new SqlParserPos(1, column, 1, column))
            .problemOf(RuleText.query("q", text)).excerpt();
    }

    @Test
    void shouldCutLongLinesAroundThePlace()
    {
        final RuleText rule = RuleText.query("q", "x".repeat(500) + "HERE" + "y".repeat(500));
        final String excerpt = new CqlRuleException(Message.EMPTY_STATEMENT,
            new SqlParserPos(1, 501, 1, 504)).problemOf(rule)
            .excerpt();
        final String[] lines = excerpt.split("\n");
        assertThat(lines[0]).hasSizeLessThanOrEqualTo(120).contains("HERE");
        assertThat(lines[1].indexOf('^')).isEqualTo(lines[0].indexOf("HERE"));
        assertThat(lines[1].strip()).isEqualTo("^^^^");
    }

    @Test
    void shouldFindTheNearestName()
    {
        assertThat(Suggestions.nearest("lastPrize", NAMES)).isEqualTo("lastPrice");
        assertThat(Suggestions.nearest("SYMBLO", NAMES)).isEqualTo("symbol");
        assertThat(Suggestions.nearest("price", NAMES)).isNull();
        assertThat(Suggestions.nearest("x", NAMES)).isNull();
    }
}
