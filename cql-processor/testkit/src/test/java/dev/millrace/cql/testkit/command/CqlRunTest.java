package dev.millrace.cql.testkit.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CqlRunTest
{
    private static final String COLUMNS = ":symbol char,price double";

    @TempDir
    private Path folder;

    private ToolHarness tool;
    private String dear;

    @BeforeEach
    void setUp() throws IOException
    {
        tool = new ToolHarness(folder);
        dear = tool.file("dear.cql", "select symbol, price from S where price > 10");
    }

    private ToolHarness dear(final String file, final String... more)
    {
        final String[] arguments = new String[4 + more.length];
        System.arraycopy(new String[] {"run", dear, "--stream", "S=" + file + COLUMNS}, 0, arguments, 0, 4);
        System.arraycopy(more, 0, arguments, 4, more.length);
        return tool.run(arguments);
    }

    @Test
    void shouldPrintARowALine() throws IOException
    {
        dear(tool.file("s.csv", "AA,12.5", "BB,3", "CC,11"));
        assertThat(tool.out().lines()).containsExactly("q1 1 + AA,12.5", "q1 3 + CC,11.0");
        assertThat(tool.err()).isEmpty();
        assertThat(tool.exit()).isZero();
    }

    @Test
    void shouldTakeColumnsFromTheFile() throws IOException
    {
        final String file = tool.file("s.csv", "symbol,price,n,ok,at", "AA,3,5,true,2026-11-21T05:10:00",
            "BB,12.5,,false,", ",null,7,,");
        tool.run("run", tool.file("i.cql", "select symbol, price, n + 1 as m, ok from S where price > 2"), "--infer",
            "--stream", "S=" + file);
        assertThat(tool.err()).contains("note: columns are inferred from the file: --stream 'S=" + file +
            ":symbol char,price double,n bigint,ok boolean,at timestamp'");
        assertThat(tool.out().lines()).containsExactly("q1 2 + AA,3.0,6,true", "q1 3 + BB,12.5,null,false");
        assertThat(tool.exit()).isZero();
    }

    @Test
    void shouldRefuseToInferColumnsWithoutNames() throws IOException
    {
        dear = tool.file("d.cql", "select * from S");
        tool.run("run", dear, "--infer", "--stream", "S=" + tool.file("n.csv", "1,2", "3,4"));
        assertThat(tool.err()).contains("CMD-0315", "has no names", "NAME=FILE:COLUMN TYPE");
        assertThat(tool.exit()).isEqualTo(64);
    }

    @Test
    void shouldSayThatTimeEndedBeforeAWindowWasDecided() throws IOException
    {
        final String[] window = {"run", tool.file("w.cql", "select count(*) as n from S[range 5 seconds]"), "--time",
            "ts", "--stream", "S=" + tool.file("w.csv", "1000,AA") + ":ts bigint,symbol char"};
        tool.run(window);
        assertThat(tool.err().strip()).isEqualTo("note: time ended with the last row, at 1000 ms; windows " +
            "and patterns may be undecided: --until MS advances time");
        final String[] until = java.util.Arrays.copyOf(window, window.length + 2);
        until[window.length] = "--until";
        until[window.length + 1] = "9000";
        tool.run(until);
        assertThat(tool.err()).isEmpty();
        assertThat(tool.out()).contains("6000 + 0");
    }

    @Test
    void shouldPassOverNamesOfColumnsAndMarksOfByteOrder() throws IOException
    {
        dear(tool.file("s.csv", "\uFEFFSymbol, PRICE", "AA,12.5"));
        assertThat(tool.out().lines()).containsExactly("q1 2 + AA,12.5");
        assertThat(tool.exit()).isZero();
    }

    @Test
    void shouldReadQuotedFieldsAndNulls() throws IOException
    {
        tool.run("run", tool.file("n.cql", "select symbol from S where price is null"), "--stream",
            "S=" + tool.file("s.csv", "\"A, \"\"B\"\"\",", "CC,null", "DD,1") + COLUMNS);
        assertThat(tool.out().lines()).containsExactly("q1 1 + A, \"B\"", "q1 2 + CC");
    }

    @Test
    void shouldReportLinesThatAreNoRowsAndGoOn() throws IOException
    {
        final String file =
            tool.file("s.csv", "AA,12.5", "BB", "CC,much", "\"DD,1", "", "EE,13", "FF,14,15");
        dear(file);
        assertThat(tool.out().lines()).containsExactly("q1 1 + AA,12.5", "q1 6 + EE,13.0");
        assertThat(tool.err().lines()).containsExactly(
            "CMD-0305: " + file + ":2: row has 1 fields instead of 2",
            "CMD-0305: " + file + ":3: field is not of type double, column=price field=much",
            "CMD-0305: " + file + ":4: quoted field is not closed",
            "CMD-0305: " + file + ":7: row has 3 fields instead of 2");
        assertThat(tool.exit()).isEqualTo(1);
    }

    @Test
    void shouldCountBadLinesBeyondTheFirst() throws IOException
    {
        final String[] lines = new String[30];
        java.util.Arrays.fill(lines, "bad");
        dear(tool.file("s.csv", lines));
        assertThat(tool.err().lines()).hasSize(22).last().isEqualTo("bad lines: 30, the first 20 are shown");
    }

    @Test
    void shouldNotTakeOtherWordsForTruth() throws IOException
    {
        final String file = tool.file("b.csv", "true", "FALSE", "yes");
        tool.run("run", tool.file("b.cql", "select f from B where f = true"), "--stream", "B=" + file + ":f boolean");
        assertThat(tool.out().lines()).containsExactly("q1 1 + true");
        assertThat(tool.err()).isEqualToIgnoringNewLines(
            "CMD-0305: " + file + ":3: field is not of type boolean, column=f field=yes");
    }

    @Test
    void shouldReadTheStandardInput()
    {
        tool.input("AA,12.5", "x");
        dear("-");
        assertThat(tool.out().lines()).containsExactly("q1 1 + AA,12.5");
        assertThat(tool.err()).startsWith("CMD-0305: standard input:2: row has 1 fields");
    }

    @Test
    void shouldRefuseTwoSourcesOnTheStandardInput()
    {
        dear("-", "--stream", "R=-:k int");
        assertThat(tool.err()).startsWith("CMD-0310: two sources read the standard input");
        assertThat(tool.exit()).isEqualTo(64);
    }

    @Test
    void shouldMergeSourcesByTime() throws IOException
    {
        final String statement = tool.file("j.cql",
            "IStream(select T.symbol as symbol, L.most as most from T[now] as T, L as L where T.symbol = L.symbol ",
            "and T.price > L.most)");
        tool.run("run", statement, "--time", "ts",
            "--stream", "T=" + tool.file("t.csv", "1000,AA,12", "2000,AA,12", "4000,AA,12") +
                ":ts bigint,symbol char,price double",
            "--relation", "L=" + tool.file("l.csv", "+,500,AA,20", "U,1500,AA,10", "-,3000,AA,10") +
                ":ts bigint,symbol char,most double,primary key(symbol)");
        assertThat(tool.err()).isEmpty();
        assertThat(tool.out().lines()).containsExactly("q1 2000 + AA,10.0");
    }

    @Test
    void shouldHaveRowsOfSourcesWithoutTimeFromTheBeginning() throws IOException
    {
        final String statement = tool.file("j.cql",
            "RStream(select L.most as most from T[now] as T, L as L where T.symbol = L.symbol)");
        tool.run("run", statement, "--time", "T.ts",
            "--stream", "T=" + tool.file("t.csv", "1000,AA") + ":ts bigint,symbol char",
            "--relation", "L=" + tool.file("l.csv", "+,AA,20", "+,BB,30") + ":symbol char,most double");
        assertThat(tool.out().lines()).containsExactly("q1 1000 + 20.0");
    }

    @Test
    void shouldReadTimestampsAsTimes() throws IOException
    {
        tool.run("run", tool.file("d.cql", "select k from S [range 1 minute]"), "--time", "at",
            "--stream", "S=" + tool.file("s.csv", "2026-11-21T05:00:00,1", "2026-11-21T05:00:30,2",
                "2026-11-21T05:01:00,3") + ":at timestamp,k int");
        // 2026-11-21T05:00:00Z is 20,778 days and 5 hours after 1970.
        assertThat(tool.out().lines()).containsExactly("q1 1795237200000 + 1", "q1 1795237230000 + 2",
            "q1 1795237260000 - 1", "q1 1795237260000 + 3");
    }

    @Test
    void shouldReportTimesThatGoBackwardsWithTheirLine() throws IOException
    {
        final String file = tool.file("s.csv", "2000,1", "1000,2", "null,3", "3000,4");
        tool.run("run", tool.file("t.cql", "select k from S"), "--time", "ts",
            "--stream", "S=" + file + ":ts bigint,k int");
        assertThat(tool.out().lines()).containsExactly("q1 2000 + 1", "q1 3000 + 4");
        assertThat(tool.err().lines()).containsExactly(
            "CMD-0305: " + file + ":2: time goes backwards, time=1000 before=2000",
            "CMD-0305: " + file + ":3: row has no time, column=ts");
    }

    @Test
    void shouldLetTimeGoOnUntilAsked() throws IOException
    {
        final String file = tool.file("s.csv", "1000,1");
        final String statement = tool.file("w.cql", "select k from S [range 5 seconds]");
        final String source = "S=" + file + ":ts bigint,k int";
        tool.run("run", statement, "--stream", source, "--time", "ts");
        assertThat(tool.out().lines()).containsExactly("q1 1000 + 1");
        tool.run("run", statement, "--stream", source, "--time", "ts", "--until", "6000");
        assertThat(tool.out().lines()).containsExactly("q1 1000 + 1", "q1 6000 - 1");
    }

    @Test
    void shouldRefuseTimesThatNoSourceHas() throws IOException
    {
        final String file = tool.file("s.csv", "AA,1");
        dear(file, "--time", "when");
        assertThat(tool.err()).startsWith("CMD-0309: no source has the column of --time, column=when");
        dear(file, "--time", "S.symbol");
        assertThat(tool.err()).startsWith("CMD-0309: the column of --time is not a time, source=S type=char");
        dear(file, "--time", "R.price");
        assertThat(tool.err()).startsWith("CMD-0309: no source has");
        assertThat(tool.exit()).isEqualTo(64);
    }

    @Test
    void shouldPrintCsvAndJson() throws IOException
    {
        final String file = tool.file("s.csv", "\"A,\"\"B\"\"\",12.5", "C\\D<'>&=,");
        final String all = tool.file("all.cql", "select symbol, price from S");
        tool.run("run", all, "--stream", "S=" + file + COLUMNS, "--format", "csv");
        assertThat(tool.out().lines()).containsExactly("q1,1,+,\"A,\"\"B\"\"\",12.5", "q1,2,+,C\\D<'>&=,");
        tool.run("run", all, "--stream", "S=" + file + COLUMNS, "--format", "json");
        assertThat(tool.out().lines()).containsExactly(
            "{\"query\":\"q1\",\"time\":1,\"kind\":\"+\",\"row\":{\"symbol\":\"A,\\\"B\\\"\",\"price\":12.5}}",
            "{\"query\":\"q1\",\"time\":2,\"kind\":\"+\",\"row\":{\"symbol\":\"C\\\\D<'>&=\",\"price\":null}}");
        dear(file, "--format", "xml");
        assertThat(tool.err()).startsWith("CMD-0308: unknown format 'xml', use text, csv or json");
        assertThat(tool.exit()).isEqualTo(64);
    }

    @Test
    void shouldRunNamedViewsAndQueries() throws IOException
    {
        tool.run("run", tool.file("v.cql", "-- a remark; with a semicolon",
            "view v (s, p) as select symbol, price from S where price > 10;",
            "query a as select s from v where s = ';';", "query b as select p from v"),
            "--stream", "S=" + tool.file("s.csv", ";,12", "AA,13") + COLUMNS);
        assertThat(tool.err()).isEmpty();
        assertThat(tool.out().lines()).containsExactly("a 1 + ;", "b 1 + 12.0", "b 2 + 13.0");
    }

    @Test
    void shouldPointAtTheMistakeInTheFile() throws IOException
    {
        final String file = tool.file("bad.cql", "select symbol", "from S", "where prise > 10");
        tool.run("run", file, "--stream", "S=" + tool.file("s.csv", "AA,1") + COLUMNS);
        assertThat(tool.err()).startsWith("CMD-0306: statements are refused, file=" + file)
            .contains("line 3, column 7: CQL-2002").contains("    where prise > 10\n          ^");
        assertThat(tool.exit()).isEqualTo(1);
    }

    @Test
    void shouldCountRowsThatAQueryCannotCompute() throws IOException
    {
        tool.run("run", tool.file("z.cql", "select 10 / k as d from S"),
            "--stream", "S=" + tool.file("s.csv", "5", "0", "2", "0") + ":k int");
        assertThat(tool.out().lines()).containsExactly("q1 1 + 2", "q1 3 + 5");
        assertThat(tool.err())
            .startsWith("CMD-0314: rows are rejected, query=q1 time=2 reason=division-by-zero detail=")
            .endsWith("rejected: 2 rows, query=q1 reason=division-by-zero" + System.lineSeparator());
        assertThat(tool.exit()).isEqualTo(1);
    }

    @Test
    void shouldSayWhatAFirstLineThatIsNoRowLacks() throws IOException
    {
        dear(tool.file("names.csv", "symbol,prize", "AA,12"));
        assertThat(tool.err()).contains(":1: field is not of type double, column=price field=prize",
            "hint: if these are names of columns, specify --stream the same ones in the same order; it has " +
                "symbol,price");
        assertThat(tool.out().lines()).containsExactly("q1 2 + AA,12.0");
        dear(tool.file("order.csv", "price,symbol", "AA,12"));
        assertThat(tool.err()).contains(":1: the columns are in another order");
        assertThat(tool.exit()).isEqualTo(1);
    }

    @Test
    void shouldRefuseInstantsThatAreNone() throws IOException
    {
        final String file = tool.file("s.csv", "AA,12");
        for (final String wrong : List.of("abc", "99999999999999999999", "0.0000001"))
        {
            dear(file, "--until", wrong);
            assertThat(tool.err()).startsWith("CMD-0308: ").contains("'" + wrong + "' is not a number of milliseconds");
            assertThat(tool.exit()).isEqualTo(64);
        }
        dear(file, "--until", "1.000001");
        assertThat(tool.exit()).isZero();
    }

    @Test
    void shouldWarnOfPatternsThatAreHardlyMeant() throws IOException
    {
        final String endless = tool.file("endless.cql", "select M.p from S MATCH_RECOGNIZE (measures A.price as p ",
            "pattern (A B*) define A as A.price > 3) as M");
        tool.run("run", endless, "--stream", "S=" + tool.file("s.csv", "AA,12") + COLUMNS);
        assertThat(tool.err()).startsWith("warning: file=" + endless).contains("line 2, column 13: CQL-5033");
        assertThat(tool.exit()).isZero();
        tool.run("explain", endless, "--stream", "S" + COLUMNS);
        assertThat(tool.err()).startsWith("warning: file=" + endless);
        assertThat(tool.exit()).isZero();
    }

    @Test
    void shouldSayWhatIsWrongWithTheHeadOfAStatement() throws IOException
    {
        final String form = "a name for a statement is not of the form 'query NAME as' or " +
            "'view NAME (COLUMN, COLUMN) as'";
        for (final String wrong : List.of("query q select symbol from S", "query 1q as select symbol from S",
            "view v(a,,b) as select symbol from S", "view v(a,b,) as select symbol from S"))
        {
            tool.run("run", tool.file("head.cql", "select symbol from S;", wrong));
            assertThat(tool.err()).startsWith("CMD-0313: " + form).contains("head.cql:2 text=" + wrong);
        }
        tool.run("run", tool.file("head.cql", "queri q as select symbol from S"));
        assertThat(tool.err()).contains("hint: did you mean query?");
    }

    @Test
    void shouldShowProblemsOfNamesWithoutAPlaceInTheText() throws IOException
    {
        tool.run("run", tool.file("two.cql", "view v (a, b) as select symbol from S; query q as select a from v"),
            "--stream", "S" + COLUMNS);
        assertThat(tool.err()).contains("  v: CQL-2010: the schema has 2 names, the view has 1 columns");
        tool.run("run", tool.file("none.cql", "select symbol from S"));
        assertThat(tool.err()).endsWith(
            "    hint: specify sources with --stream 'NAME=FILE:COLUMN TYPE, ..' and --relation" +
            System.lineSeparator());
    }

    @Test
    void shouldTakeTypesWithLengths() throws IOException
    {
        tool.run("run", tool.file("q.cql", "select a, b from S"), "--stream",
            "S=" + tool.file("s.csv", "1.50,x") + ":a decimal(10,2), b varchar(8)");
        assertThat(tool.out().lines()).containsExactly("q1 1 + 1.50,x");
        tool.run("run", dear, "--stream", "S:symbol chr,price double");
        assertThat(tool.err()).contains("hint: did you mean char? types are int, bigint, ");
        assertThat(tool.exit()).isEqualTo(64);
    }

    @Test
    void shouldSayWhatIsWrongWithASource() throws IOException
    {
        dear("nowhere.csv");
        assertThat(tool.err()).startsWith("CMD-0307: file of a source cannot be read, source=S file=nowhere.csv");
        tool.run("run", dear, "--stream", "S:symbol char,price double");
        assertThat(tool.err()).startsWith("CMD-0307: source has no file, source=S")
            .contains("write --stream 'S=FILE:COLUMNS'");
        tool.run("run", dear, "--stream", "symbol char");
        assertThat(tool.err()).startsWith("CMD-0303: source is not of the form NAME=FILE:COLUMNS");
        tool.run("run", dear, "--stream", "S=s.csv:symbol text");
        assertThat(tool.err()).startsWith("CMD-0304: column is not of the form NAME TYPE, column=symbol text");
        tool.run("run", dear, "--stream", "S=s.csv:symbol char,Symbol char");
        assertThat(tool.err()).startsWith("CMD-0304: two columns have one name, column=Symbol");
        tool.run("run", dear, "--relation", "R=s.csv:k int,primary key(x)");
        assertThat(tool.err()).startsWith("CMD-0304: the primary key has an unknown column, column=x");
        tool.run("run", dear, "--stream", "S=s.csv:k int", "--stream", "s=s.csv:k int");
        assertThat(tool.err()).startsWith("CMD-0310: two sources have one name, source=s");
        assertThat(tool.exit()).isEqualTo(64);
    }

    @Test
    void shouldSayWhatIsWrongWithTheFileOfStatements() throws IOException
    {
        tool.run("run", "nowhere.cql");
        assertThat(tool.err()).startsWith("CMD-0301: file of statements cannot be read, file=nowhere.cql");
        tool.run("run", tool.file("view.cql", "view v as select symbol from S;"), "--stream", "S=s.csv" + COLUMNS);
        assertThat(tool.err()).startsWith("CMD-0302: file has no query");
        assertThat(tool.exit()).isEqualTo(1);
    }

    @Test
    void shouldTellWrongUsageFromFailure()
    {
        tool.run("run");
        assertThat(tool.err()).startsWith("CMD-0308: Missing required parameter: 'FILE.cql'")
            .contains("hint: millrace cql run --help");
        assertThat(tool.exit()).isEqualTo(64);
        tool.run("run", dear, "--strem", "S=s.csv:k int");
        assertThat(tool.err()).startsWith("CMD-0308: Unknown option").contains("--stream");
        assertThat(tool.exit()).isEqualTo(64);
    }

    @Test
    void shouldShowHelpWithExamples()
    {
        assertThat(tool.run("--help").out()).contains("Examples:", "millrace cql run", "Exit codes:");
        assertThat(tool.exit()).isZero();
        assertThat(tool.run("run", "--help").out()).contains("Examples:", "--until", "Exit codes:");
        assertThat(tool.run("explain", "--help").out()).contains("Examples:", "--code");
        assertThat(tool.run("test", "--help").out()).contains("Examples:", "--json", "Exit codes:");
        assertThat(tool.run().out()).contains("Examples:");
        assertThat(tool.run("--version").out()).startsWith("millrace ");
        assertThat(tool.run("run", "--version").out()).startsWith("millrace ");
    }
}
