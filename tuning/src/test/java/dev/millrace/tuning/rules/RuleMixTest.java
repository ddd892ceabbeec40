package dev.millrace.tuning.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Timeout(120)
class RuleMixTest
{
    /** Kinds that run in the pipeline of their channel. */
    private static final Set<String> FUSED = Set.of("filter", "groups", "having", "pair");

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
    void shouldGiveTheSameRowsTogetherAsAlone() throws Exception
    {
        // More statements than one pipeline has, and several with the same text of their class.
        final int[] numbers = IntStream.range(0, 1_000)
            .filter(i -> i < 24 || FUSED.contains(RuleMix.kind(i).name())).limit(110).toArray();
        long alone = 0;
        for (final int number : numbers)
        {
            alone += rows(number);
        }
        assertThat(rows(numbers)).isEqualTo(alone).isPositive();
    }

    private static long rows(final int... numbers) throws Exception
    {
        final RuleNetwork rules = new RuleNetwork();
        for (final int number : numbers)
        {
            rules.with("q" + number, RuleMix.text(number));
        }
        try (RuleNetwork network = rules.start())
        {
            network.send(200);
            return network.rows();
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
