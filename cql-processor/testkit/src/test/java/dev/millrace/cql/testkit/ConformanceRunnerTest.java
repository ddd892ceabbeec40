package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

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

    private final ConformanceRunner runner = new ConformanceRunner(CompiledCase.Mode.DEFAULT);

    @Test
    void shouldReportTheDifferenceOfACaseThatFails() throws Exception
    {
        Files.writeString(folder.resolve("right.yaml"), CASE.formatted("right", "2"));
        Files.writeString(folder.resolve("wrong.yaml"), CASE.formatted("wrong", "3"));

        final List<ConformanceRunner.Verdict> verdicts = runner.runAll(List.of(folder));

        assertThat(verdicts).extracting(ConformanceRunner.Verdict::name).containsExactly("right", "wrong");
        assertThat(verdicts.get(0).passed()).isTrue();
        assertThat(verdicts.get(1).failure().lines()).contains("  missing  2000 + 3", "  too much 2000 + 2");
        assertThat(ConformanceRunner.json(verdicts, 1))
            .contains("\"passed\":1,\"failed\":1", "\"name\":\"wrong\",\"passed\":false");
    }

    @Test
    void shouldFailOnFilesThatAreNotCases() throws Exception
    {
        final Path file = Files.writeString(folder.resolve("none.yaml"), "- just\n- a list\n");

        final List<ConformanceRunner.Verdict> verdicts = runner.run(file);

        assertThat(verdicts).hasSize(1);
        assertThat(verdicts.get(0).failure()).contains("a case is a mapping");
    }
}
