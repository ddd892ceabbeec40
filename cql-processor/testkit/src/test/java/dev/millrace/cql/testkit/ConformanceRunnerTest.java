package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ConformanceRunnerTest
{
    private static final String CASE = String.join("\n", "name: %s", "feature: filter", "streams:",
        "  S: {kind: stream, schema: \"k int\"}", "queries:",
        "  - {id: q1, kind: query, text: 'select k from S where k > 1'}", "input: |", "  1000 S + 1", "  2000 S + 2",
        "expect:", "  q1: |", "    2000 + %s", "ordered: true", "");

    @TempDir
    private Path folder;

    private int exit;

    private String run(final String... arguments) throws Exception
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        exit = ConformanceRunner.run(List.of(arguments), new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldCountAndShowTheDifferenceOfACaseThatFails() throws Exception
    {
        Files.writeString(folder.resolve("right.yaml"), CASE.formatted("right", "2"));
        Files.writeString(folder.resolve("wrong.yaml"), CASE.formatted("wrong", "3"));
        final Path json = folder.resolve("report.json");
        final String out = run(folder.toString(), "--json", json.toString());
        assertThat(out.lines()).contains("    missing  2000 + 3", "    too much 2000 + 2")
            .endsWith("1 passed, 1 failed");
        assertThat(exit).isEqualTo(1);
        assertThat(Files.readString(json)).contains("\"passed\":1,\"failed\":1", "\"name\":\"wrong\",\"passed\":false");
    }

    @Test
    void shouldFailOnFilesThatAreNoCases() throws Exception
    {
        final Path file = Files.writeString(folder.resolve("none.yaml"), "- just\n- a list\n");
        assertThat(run(file.toString())).contains("a case is a mapping").endsWith("0 passed, 1 failed\n");
        assertThat(exit).isEqualTo(1);
    }

    @Test
    void shouldSayHowItIsUsedWithoutPaths() throws Exception
    {
        assertThat(run("--json")).contains("--json");
        assertThat(exit).isEqualTo(2);
        assertThat(run()).startsWith("usage");
    }
}
