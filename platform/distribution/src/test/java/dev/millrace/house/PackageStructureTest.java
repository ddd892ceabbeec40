package dev.millrace.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Packages can be seen as a whole, and can be understood one after the other. */
@Timeout(60)
class PackageStructureTest
{
    private static final int MAX_FILES = 25;
    /** May only fall. */
    private static final int MAX_FILE_CYCLES = 12;

    private static SourceGraph graph;

    @BeforeAll
    static void read()
    {
        graph = SourceGraph.read();
    }

    @Test
    void shouldKeepPackagesSmall()
    {
        final List<String> wrong = new ArrayList<>();
        graph.packages.forEach((name, files) ->
        {
            if (files.size() > MAX_FILES)
            {
                wrong.add(name + ": error: " + files.size() + " files, at most " + MAX_FILES + "; divide it by idea");
            }
        });
        assertThat(graph.packages).hasSizeGreaterThan(100);
        assertThat(wrong).isEmpty();
    }

    @Test
    void shouldHaveNoCyclesBetweenPackages()
    {
        assertThat(graph.packageCycles()).isEmpty();
    }

    @Test
    void shouldNotAddCyclesBetweenFiles()
    {
        final List<Set<String>> cycles = graph.fileCycles();
        assertThat(cycles).as("groups of files that use each other: %s", cycles)
            .hasSizeBetween(1, MAX_FILE_CYCLES);
    }

    @Test
    void shouldFindCycles()
    {
        assertThat(SourceGraph.cycles(Map.of("a", Set.of("b"), "b", Set.of("c"), "c", Set.of("b", "x"), "d",
            Set.of("e"), "e", Set.of("d"), "x", Set.of())))
            .containsExactlyInAnyOrder(Set.of("b", "c"), Set.of("d", "e"));
    }
}
