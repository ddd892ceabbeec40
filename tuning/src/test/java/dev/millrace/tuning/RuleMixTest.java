package dev.millrace.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class RuleMixTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldHaveNoQueryTwice()
    {
        final Set<String> texts = new HashSet<>();
        for (int i = 0; i < 3_000; i++)
        {
            assertThat(texts.add(RuleMix.text(i))).as("query %d", i).isTrue();
        }
    }

    @Test
    void shouldGiveRowsFromEveryKindOfQuery() throws Exception
    {
        for (int i = 0; i < RuleMix.KINDS.size(); i++)
        {
            try (RuleNetwork network = new RuleNetwork().with("q", RuleMix.text(i)).start())
            {
                for (int sent = 0; sent < 20 && network.rows() == 0; sent++)
                {
                    network.send(200);
                }
                assertThat(network.rows()).as(RuleMix.kind(i).name()).isPositive();
            }
        }
    }

    @Test
    void shouldMeasureAndWriteTheFigures() throws Exception
    {
        final Path json = directory.resolve("rules.json");
        assertThat(RulesBench.run("--queries", "24", "--replacements", "3", "--json", json.toString())).isZero();
        assertThat(Files.readString(json)).contains("\"deploySeconds\":", "\"planAndCompileMsP99\":",
            "\"replaceMsMedian\":", "\"classesGrown\":");
        assertThat(RulesBench.run("--queries", "0")).isNotZero();
    }
}
