package dev.millrace.cql.testkit.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CqlTestTest
{
    @TempDir
    private Path folder;

    private ToolHarness tool;

    @BeforeEach
    void setUp()
    {
        tool = new ToolHarness(folder);
    }

    private String caseFile(final String name, final String text, final String expected) throws IOException
    {
        return tool.file(name, "name: " + name.replaceAll(".*/|\\..*", ""), "feature: filter", "streams:",
            "  S: {kind: stream, schema: \"k int\"}", "queries:", "  - {id: q1, kind: query, text: '" + text + "'}",
            "input: |", "  1000 S + 1", "  2000 S + 2", expected);
    }

    private static String rows(final String row)
    {
        return "expect:\n  q1: |\n    " + row;
    }

    @Test
    void shouldCountCasesInTheLastLine() throws IOException
    {
        caseFile("cases/a.yaml", "select k from S where k > 1", rows("2000 + 2"));
        caseFile("cases/deep/b.yml", "select k from S where k < 2", rows("1000 + 1"));
        tool.file("cases/README.md", "no case");
        tool.run("test", folder.resolve("cases").toString());
        assertThat(tool.out()).isEqualToIgnoringNewLines("2 passed, 0 failed");
        assertThat(tool.exit()).isZero();
    }

    @Test
    void shouldShowWhatIsMissingAndTooMuch() throws IOException
    {
        final String wrong = caseFile("wrong.yaml", "select k from S where k > 1", rows("2000 + 3"));
        final String right = caseFile("right.yaml", "select k from S where k > 1", rows("2000 + 2"));
        tool.run("test", wrong, right);
        assertThat(tool.out().lines()).containsExactly("FAIL " + wrong + " wrong", "  query q1:",
            "    missing  2000 + 3", "    too much 2000 + 2", "1 passed, 1 failed");
        assertThat(tool.exit()).isEqualTo(1);
    }

    @Test
    void shouldFailWhenARefusalIsExpectedButTheStatementRuns() throws IOException
    {
        tool.run("test", caseFile("runs.yaml", "select k from S", "expect_error: no such thing"));
        assertThat(tool.out()).contains("not refused, although: no such thing").contains("0 passed, 1 failed");
        tool.run("test", caseFile("refused.yaml", "select x from S", "expect_error: x is no column"));
        assertThat(tool.out()).isEqualToIgnoringNewLines("1 passed, 0 failed");
        tool.run("test", caseFile("surprise.yaml", "select x from S", rows("1000 + 1")));
        assertThat(tool.out()).contains("refused: ").contains("CQL-2002");
    }

    @Test
    void shouldWriteResultsForMachines() throws IOException
    {
        final String wrong = caseFile("wrong.yaml", "select k from S where k > 1", rows("2000 + 3"));
        final Path json = folder.resolve("result.json");
        tool.run("test", wrong, "--json", json.toString());
        assertThat(Files.readString(json)).startsWith("{\"passed\":0,\"failed\":1,\"cases\":[")
            .contains("\"name\":\"wrong\",\"passed\":false,\"failure\":\"query q1:\\n");
    }

    @Test
    void shouldRefusePathsWithoutCases() throws IOException
    {
        tool.run("test", folder.resolve("nowhere").toString());
        assertThat(tool.err()).startsWith("CMD-0311: file or directory does not exist");
        assertThat(tool.exit()).isEqualTo(1);
        Files.createDirectory(folder.resolve("empty"));
        tool.run("test", folder.resolve("empty").toString());
        assertThat(tool.err()).startsWith("CMD-0311: there is no case file below the directory");
        assertThat(tool.exit()).isEqualTo(1);
        tool.run("test");
        assertThat(tool.exit()).isEqualTo(64);
    }

    @Test
    void shouldFailOnFilesThatAreNoCases() throws IOException
    {
        tool.run("test", tool.file("none.yaml", "- just", "- a list"));
        assertThat(tool.out()).contains("a case is a mapping").contains("0 passed, 1 failed");
        assertThat(tool.exit()).isEqualTo(1);
    }

    private String failure(final String... lines) throws IOException
    {
        tool.run("test", tool.file("bad.yaml", lines));
        assertThat(tool.exit()).isEqualTo(1);
        assertThat(tool.err()).isEmpty();
        return tool.out();
    }

    @Test
    void shouldNameTheLineThatCannotBeRead() throws IOException
    {
        final String head = "streams: {S: {kind: stream, schema: \"k int, c char\"}}\n" +
            "queries: [{id: q1, kind: query, text: 'select k from S'}]\nexpect: {q1: ''}\ninput: |\n  ";
        assertThat(failure(head + "1000 S + one,x")).contains("line of input cannot be read: 1000 S + one,x (no int " +
            "for column k)");
        assertThat(failure(head + "1000 S + 1")).contains("1000 S + 1 (1 fields instead of 2)");
        assertThat(failure(head + "1000 T + 1,x")).contains("1000 T + 1,x (there is no stream T)");
        assertThat(failure(head + "1000")).contains("cannot be read: 1000 (neither row nor heartbeat");
        assertThat(failure(head.replace("q1: ''", "q1: oops") + "1000 S + 1,x"))
            .contains("line of expect q1 cannot be read: oops");
    }

    @Test
    void shouldNameKeysAndKindsThatAreMisspelt() throws IOException
    {
        assertThat(failure("stream: {}", "queries: []")).contains("unknown key stream, did you mean streams?");
        assertThat(failure("streams: {S: {kind: stram, schema: k int}}", "queries: []", "expect: {}"))
            .contains("kind is stream or relation, not stram");
        assertThat(failure("streams: {S: {kind: stream, schema: k integr}}", "queries: []", "expect: {}"))
            .contains("unknown type integr");
        assertThat(failure("streams: {S: {kind: stream, schema: k}}", "queries: []", "expect: {}"))
            .contains("a column has a name and a type: k");
        assertThat(failure("streams: {}", "expect: {}")).contains("queries is no list");
    }

    @Test
    void shouldRefuseAFileForResultsThatCannotBeWrittenBeforeCasesRun() throws IOException
    {
        tool.run("test", caseFile("right.yaml", "select k from S where k > 1", rows("2000 + 2")),
            "--json", folder.resolve("nowhere/result.json").toString());
        assertThat(tool.err()).startsWith("CMD-0307: a file cannot be read or written").contains("hint: ");
        assertThat(tool.out()).isEmpty();
        assertThat(tool.exit()).isEqualTo(1);
    }

    @Test
    void shouldRunCasesAsFlowsWhenAsked() throws IOException
    {
        tool.run("test", "--flows", caseFile("right.yaml", "select k from S where k > 1", rows("2000 + 2")));
        assertThat(tool.out()).isEqualToIgnoringNewLines("1 passed, 0 failed");
    }
}
