package dev.millrace.cql.testkit.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class CqlExplainTest
{
    private static final String SOURCE = "Ticks:symbol char,price double";

    @TempDir
    private Path folder;

    private ToolHarness tool;

    @BeforeEach
    void setUp()
    {
        tool = new ToolHarness(folder);
    }

    private String pattern(final String clauses) throws IOException
    {
        final String file = tool.file("p.cql", "query p as select M.low from Ticks MATCH_RECOGNIZE (",
            "partition by symbol measures last(B.price) as low", clauses, ") as M");
        return tool.run("explain", file, "--stream", SOURCE).out();
    }

    @Test
    void shouldShowTheLogicalPlanBeforeTheSteps() throws IOException
    {
        final String file = tool.file("g.cql", "view dear as select symbol, price from Ticks where price > 10;",
            "query n as select symbol, count(*) as n from dear [range 5 seconds] group by symbol;");
        final String out = tool.run("explain", file, "--stream", SOURCE).out();
        assertThat(tool.exit()).isZero();
        assertThat(out).containsSubsequence("Logical plan\n", "  view dear\n", "LogicalFilter", "  query n\n",
            "LogicalAggregate", "\nSteps\n", "  query n relation [symbol, n]\n", "group by", "window",
            "stream Ticks [symbol, price]").doesNotContain("\nPatterns");
    }

    @Test
    void shouldSayThatOneStreamWithoutInstantsRunsAsPipeline() throws IOException
    {
        final String out =
            tool.run("explain", tool.file("f.cql", "select symbol from Ticks where price > 10"), "--stream", SOURCE)
                .out();
        assertThat(out).contains("\nSteps\n  query q1 over Ticks ORDERED\n");
    }

    @Test
    void shouldSayHowAPatternRuns() throws IOException
    {
        assertThat(pattern("pattern (A B+) define B as B.price < prev(B.price)")).contains(
            "\nPatterns\n  p: pattern 1 over A, B: class 0").doesNotContain("timer");
        assertThat(pattern("pattern (A B+) within 5 seconds define B as B.price < A.price"))
            .contains("a timer per partition for WITHIN");
        assertThat(pattern("pattern (A B*) define B as B.element_time - prev(B.element_time) < 1000"))
            .contains("a timer per partition for conditions on times");
        assertThat(pattern("pattern (A B+ C+) define B as B.price < 5, C as C.price < 6"))
            .contains("class 2", "no row is kept");
        assertThat(pattern("include timer events pattern (A B*) duration 5 seconds define B as B.price < A.price"))
            .contains("class 2", "DURATION reports the best labelling", "a timer per partition for DURATION");
        assertThat(pattern(
            "include timer events pattern (A B*) duration multiples of 5 seconds define B as B.price < A.price"))
            .contains("class 2", "DURATION reports the best labelling", "a timer per partition for DURATION");
        assertThat(pattern("all rows per match pattern (A B*) define B as B.price < A.price"))
            .contains("class 2", "the output shows each row of a match", "each row of an attempt ");
        assertThat(pattern("all rows per match with unmatched rows pattern (A B) define B as B.price < A.price"))
            .contains("rows are kept until they are decided");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "pattern (A B*) define B as B.price < prev(B.price) | 0 (one record per partition), a failed attempt leaves a",
        "pattern (A B+ C) define B as B.price < A.price, C as C.price >= A.price | 1 (a record per attempt), at most " +
            "one condition can hold at each position",
        "pattern (A X*? B) define B as B.price > A.price | 1 (a record per attempt)",
        "pattern (A B+ C) define B as B.price < 5, C as C.price > 4 | 2 (a record per labelling that may still win), " +
            "B and C can hold for the same row after B",
        "pattern (A B+ C) define B as B.price < A.price, C as C.price < prev(C.price) | 2 (a record per labelling " +
            "that may still win), B and C can hold for the same row after B",
        "pattern (A B*) define B as B.price < 5 and classifier(A) = 'A' | 0 (one record per partition)",
        "pattern (A B*) define B as B.price < 5 and prev(classifier()) = 'A' | 0 (one record per partition)",
        "pattern (A B*) define B as count(distinct B.price) < 5 | 2 (a record per labelling that may still win), " +
            "count distinct is computed over all rows of a match",
        "all matches pattern (A B* C) define C as C.price > A.price | 1a (a record per labelling), each labelling"})
    void shouldNameTheClassOfAPatternAndWhatDecidedIt(final String clauses, final String text) throws IOException
    {
        assertThat(pattern(clauses)).contains(": class " + text);
    }

    @Test
    void shouldSayThatMatchesOfOtherPartitionsWait() throws IOException
    {
        final String waits = "matches of other partitions wait while a row for B may come";
        assertThat(pattern("pattern (A B*) define B as B.price < prev(B.price)")).contains(waits);
        assertThat(pattern("pattern (A B*) within 5 seconds define B as B.price < prev(B.price)"))
            .doesNotContain(waits);
        assertThat(pattern("pattern (A B*) define B as B.element_time - prev(B.element_time) < 1000"))
            .doesNotContain(waits);
        assertThat(pattern("pattern (A B*) define B as B.element_time < 1000 + A.element_time")).doesNotContain(waits);
    }

    @Test
    void shouldSayWhatAPartitionKeeps() throws IOException
    {
        assertThat(pattern("pattern (A B+ C) define B as B.price < prev(B.price), C as C.price >= prev(C.price)"))
            .containsPattern("\n    a partition takes about \\d+ bytes, an attempt \\d+ bytes, and no row is kept");
        assertThat(pattern("pattern (A B C) define B as B.price < prev(B.price)"))
            .contains("class 0a (a record per partition with the earlier rows), each match has 3 rows")
            .containsPattern("\n    a partition takes about \\d+ bytes").doesNotContain("an attempt");
        assertThat(pattern("pattern (A B* C) define B as count(distinct B.price) < 5"))
            .containsPattern("a partition takes about \\d+ bytes, each row of an attempt \\d+ bytes");
    }

    @Test
    void shouldShowCodeOnDemandOnly() throws IOException
    {
        final String file = tool.file("f.cql", "select symbol, price * 2 as twice from Ticks [rows 3]");
        assertThat(tool.run("explain", file, "--stream", SOURCE).out()).doesNotContain("public final class ");
        assertThat(tool.run("explain", file, "--stream", SOURCE, "--code").out()).contains("class ", "Logical plan");
    }

    @Test
    void shouldEstimateTheTimeOfARowByOperator() throws IOException
    {
        final String file = tool.file("e.cql", "query q as select symbol from Ticks where price > 10;",
            "query j as IStream(select a.symbol from Ticks [range 1 seconds] as a, Ticks [now] as b " +
                "where a.price > b.price);",
            "query k as IStream(select a.symbol from Ticks [range 1 seconds] as a, Ticks [now] as b " +
                "where a.symbol > b.symbol);",
            "query g as IStream(select symbol, count(*) as n from Ticks group by symbol);",
            "query r as select symbol, count(*) as n from Ticks [range 5 seconds] group by symbol;");
        final String out = tool.run("explain", file, "--stream", SOURCE).out();
        assertThat(out).containsSubsequence("Estimated processor time",
            "q: about 8 ns per row (source 3, calc 2, output 3)", "j: about",
            "cost: the join has no equality", "k: about", "slow: the join has no equality", "g: about",
            "memory: groups are stored forever", "r: about",
            "group 20", "cost: the query is a relation").doesNotContain("Measured");
    }

    @Test
    void shouldMeasureEachQueryOverTheRowsOfItsFile() throws IOException
    {
        final String[] rows = new String[3_000];
        for (int i = 0; i < rows.length; i++)
        {
            rows[i] = i + ",S" + i % 3 + ',' + i % 2;
        }
        final String data = tool.file("t.csv", rows);
        final String file = tool.file("m.cql", "query half as select symbol from Ticks where price > 0;",
            "query n as IStream(select symbol, count(*) as n from Ticks [range 1 seconds] group by symbol);");
        final String out = tool.run("explain", file, "--stream",
            "Ticks=" + data + ":ts bigint,symbol char,price double", "--time", "ts", "--run").out();
        assertThat(tool.exit()).isZero();
        assertThat(out).containsPattern("\nMeasured\n  3,000 rows, each query alone")
            .contains("few rows: figures are those of a cold start")
            .containsPattern("\n  half: \\d+\\.\\d ns per row, 0\\.50 output rows per row, " +
                "[\\d.]+ bytes allocated per row, 0 bytes")
            .containsPattern("\n  n: \\d+\\.\\d ns per row, [\\d.]+ output rows per row, " +
                "[\\d.]+ bytes allocated per row, [\\d,]+ bytes of state at the end" +
                "\n    \\w+ stores 1,000\n    \\w+ stores 3\n");
    }

    @Test
    void shouldMeasureNoMoreRowsThanAskedForAndSayWhichAreWrong() throws IOException
    {
        final String data = tool.file("t.csv", "1,A,1", "2,A", "3,A,0", "4,A,1", "5,A,1");
        final String file = tool.file("m.cql", "select symbol, 1 / price as inverse from Ticks");
        tool.run("explain", file, "--stream", "Ticks=" + data + ":ts bigint,symbol char,price int", "--time", "ts",
            "--run", "--rows", "3");
        assertThat(tool.exit()).isZero();
        assertThat(tool.out()).contains("3 rows (the files have more: --rows)",
            "1 rows are rejected, the last one: ");
        assertThat(tool.err()).contains("CMD-0305", ":2: row has 2 fields instead of 3");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "Ticks:symbol char,price double | --rows=5 | CMD-0307: source has no file, source=Ticks",
        "Ticks=none.csv:symbol char,price double | --rows=5 | CMD-0307: file of a source cannot be read",
        "Ticks=none.csv:symbol char,price double | --rows=0 | CMD-0308: --rows must be 1 or more, rows=0"})
    void shouldSayWhyNothingCanBeMeasured(final String source, final String option, final String message)
        throws IOException
    {
        final String file = tool.file("m.cql", "select symbol from Ticks");
        tool.run("explain", file, "--stream", source, "--run", option);
        assertThat(tool.err()).contains(message);
        assertThat(tool.exit()).isNotZero();
    }

    @Test
    void shouldRefuseWhatCannotRun() throws IOException
    {
        final String file = tool.file("bad.cql", "select symbl from Ticks");
        tool.run("explain", file, "--stream", SOURCE);
        assertThat(tool.err()).startsWith("CMD-0306: statements are refused, file=" + file)
            .contains("line 1, column 8: CQL-2002", "did you mean symbol?");
        assertThat(tool.out()).isEmpty();
        assertThat(tool.exit()).isEqualTo(1);
    }
}
