package dev.millrace.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Arrows between modules point one way (ARCHITECTURE.md, "Module dependencies"): what a module's main sources
 * import and what its pom depends on must stand in this table.
 */
@Timeout(60)
class ModuleArrowsTest
{
    private static final Pattern USE = Pattern.compile("dev\\.millrace\\.[a-z.]*[a-z]");

    /** Package prefix of each module, longest first where one is a prefix of another. */
    private static final Map<String, String> PACKAGE_OF = Map.ofEntries(
        Map.entry("platform/api", "dev.millrace.api"),
        Map.entry("platform/network", "dev.millrace.network"),
        Map.entry("platform/spring", "dev.millrace.spring"),
        Map.entry("platform/assembly", "dev.millrace.assembly"),
        Map.entry("platform/journal", "dev.millrace.journal"),
        Map.entry("platform/launcher", "dev.millrace.launcher"),
        Map.entry("platform/server", "dev.millrace.server"),
        Map.entry("platform/cluster", "dev.millrace.cluster"),
        Map.entry("platform/command", "dev.millrace.command"),
        Map.entry("platform/embedded", "dev.millrace.embedded"),
        Map.entry("platform/testing", "dev.millrace.test"),
        Map.entry("cql-processor/plan", "dev.millrace.cql.plan"),
        Map.entry("cql-processor/runtime", "dev.millrace.cql.runtime"),
        Map.entry("cql-processor/language", "dev.millrace.cql.language"),
        Map.entry("cql-processor/planner", "dev.millrace.cql.planner"),
        Map.entry("cql-processor/compiler", "dev.millrace.cql.compiler"),
        Map.entry("cql-processor/processor", "dev.millrace.cql.processor"),
        Map.entry("cql-processor/functions", "dev.millrace.cql.functions"),
        Map.entry("cql-processor/testkit", "dev.millrace.cql.testkit"),
        Map.entry("cql-processor/replay", "dev.millrace.cql.replay"),
        Map.entry("adapters/loadgen", "dev.millrace.adapter.loadgen"),
        Map.entry("clients/java", "dev.millrace.client"),
        Map.entry("adapters/jdbc", "dev.millrace.adapter.jdbc"),
        Map.entry("adapters/common", "dev.millrace.adapter.common"),
        Map.entry("adapters/file", "dev.millrace.adapter.file"),
        Map.entry("adapters/jms", "dev.millrace.adapter.jms"),
        Map.entry("adapters/mqtt", "dev.millrace.adapter.mqtt"),
        Map.entry("adapters/kafka", "dev.millrace.adapter.kafka"),
        Map.entry("adapters/http", "dev.millrace.adapter.http"),
        Map.entry("cartridges/spatial", "dev.millrace.cartridge.spatial"),
        Map.entry("cartridges/jdbc", "dev.millrace.cartridge.jdbc"),
        Map.entry("cartridges/example", "dev.millrace.samples.cartridge"),
        Map.entry("apps/signal-generation", "dev.millrace.samples.signalgeneration"),
        Map.entry("loadgen", "dev.millrace.loadgen"),
        Map.entry("tuning", "dev.millrace.tuning"),
        Map.entry("fuzz", "dev.millrace.fuzz"));

    private static final Map<String, Set<String>> MAY_IMPORT = Map.ofEntries(
        Map.entry("platform/journal", Set.of()),
        Map.entry("platform/api", Set.of()),
        Map.entry("platform/network", Set.of("platform/api", "platform/journal")),
        Map.entry("platform/spring", Set.of()),
        Map.entry("platform/assembly", Set.of("platform/api", "platform/network")),
        Map.entry("platform/launcher", Set.of("platform/journal")),
        Map.entry("platform/server", Set.of(
            "platform/api", "platform/journal", "platform/network", "platform/assembly")),
        Map.entry("platform/cluster", Set.of("platform/api", "platform/network", "platform/server")),
        Map.entry("platform/command", Set.of(
            "platform/api", "platform/journal", "platform/network", "loadgen", "adapters/loadgen")),
        Map.entry("platform/embedded", Set.of(
            "platform/api", "platform/network", "platform/assembly", "cql-processor/processor")),
        Map.entry("platform/testing", Set.of(
            "platform/api", "platform/network", "platform/assembly", "platform/embedded")),
        Map.entry("cql-processor/plan", Set.of("platform/api")),
        Map.entry("cql-processor/runtime", Set.of("platform/api")),
        Map.entry("cql-processor/functions", Set.of("platform/api", "cql-processor/runtime", "cql-processor/language")),
        Map.entry("cql-processor/language", Set.of("platform/api", "cql-processor/plan")),
        Map.entry("cql-processor/planner", Set.of("platform/api", "cql-processor/plan", "cql-processor/language")),
        Map.entry("cql-processor/compiler", Set.of("platform/api", "cql-processor/plan", "cql-processor/runtime")),
        Map.entry("cql-processor/processor", Set.of(
            "platform/api", "platform/network", "platform/journal", "cql-processor/plan", "cql-processor/runtime",
            "cql-processor/language", "cql-processor/planner", "cql-processor/compiler", "cql-processor/functions")),
        Map.entry("cql-processor/testkit", Set.of(
            "platform/api", "cql-processor/plan", "cql-processor/runtime", "cql-processor/language",
            "cql-processor/planner", "cql-processor/compiler", "cql-processor/functions")),
        Map.entry("cql-processor/replay", Set.of(
            "platform/api", "platform/network", "platform/assembly", "platform/embedded", "cql-processor/processor",
            "adapters/common")),
        Map.entry("adapters/loadgen", Set.of("platform/api")),
        Map.entry("adapters/jdbc", Set.of("platform/api", "adapters/common")),
        Map.entry("clients/java", Set.of()),
        Map.entry("adapters/common", Set.of("platform/api")),
        Map.entry("adapters/file", Set.of("platform/api", "adapters/common")),
        Map.entry("adapters/jms", Set.of("platform/api", "adapters/common")),
        Map.entry("adapters/mqtt", Set.of("platform/api", "adapters/common")),
        Map.entry("adapters/kafka", Set.of("platform/api", "adapters/common")),
        Map.entry("adapters/http", Set.of("platform/api", "adapters/common")),
        Map.entry("cartridges/spatial", Set.of("platform/api")),
        Map.entry("cartridges/jdbc", Set.of("platform/api")),
        Map.entry("cartridges/example", Set.of("platform/api")),
        Map.entry("apps/signal-generation", Set.of("platform/api")),
        Map.entry("loadgen", Set.of("adapters/loadgen", "platform/api")),
        Map.entry("tuning", Set.of(
            "platform/api", "platform/journal", "platform/network", "adapters/loadgen", "adapters/jdbc",
            "cql-processor/plan", "cql-processor/runtime", "cql-processor/language", "cql-processor/planner",
            "cql-processor/compiler", "cql-processor/processor")),
        Map.entry("fuzz", Set.of(
            "platform/api", "platform/network", "platform/assembly", "platform/server", "adapters/loadgen",
            "cql-processor/language", "cql-processor/planner")));

    @Test
    void shouldKnowEveryModule()
    {
        final List<String> modules = new ArrayList<>(SourceTree.modules());
        modules.remove("platform/distribution");
        // Only versions, and the templates of the command.
        modules.removeAll(List.of("platform/bom", "platform/archetype"));
        assertThat(MAY_IMPORT.keySet()).containsExactlyInAnyOrderElementsOf(modules);
    }

    @Test
    void shouldImportOnlyWhatTheChainAllows()
    {
        final List<String> wrong = new ArrayList<>();
        int uses = 0;
        for (final String module : MAY_IMPORT.keySet())
        {
            for (final Path file : SourceTree.java(module + "/src/main/java"))
            {
                // Names in strings are not dependencies: generated code calls the functions, the catalog only names
                // them; the launcher's main classes run in separate processes.
                final String text = SourceTree.read(file).replaceAll("(?s)/\\*.*?\\*/", "")
                    .replaceAll("\"dev\\.millrace\\.(cql\\.functions|launcher)[^\"]*\"", "");
                for (final MatchResult use : USE.matcher(text).results().toList())
                {
                    uses++;
                    final String target = moduleOf(use.group());
                    if (target != null && !target.equals(module) && !MAY_IMPORT.get(module).contains(target))
                    {
                        wrong.add(SourceTree.name(file) + ": error: uses " + use.group() + " of " + target +
                            ", which " + module + " may not know");
                    }
                }
            }
        }
        assertThat(uses).as("package names seen").isGreaterThan(100);
        assertThat(wrong).isEmpty();
    }

    @Test
    void shouldKeepCalciteBehindThePlanner()
    {
        final List<String> wrong = new ArrayList<>();
        for (final String module : MAY_IMPORT.keySet())
        {
            if (module.equals("cql-processor/language") || module.equals("cql-processor/planner"))
            {
                continue;
            }
            for (final Path file : SourceTree.java(module + "/src/main/java"))
            {
                if (SourceTree.read(file).contains("import org.apache.calcite"))
                {
                    wrong.add(SourceTree.name(file) + ": error: imports Calcite, use the physical plan");
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static String moduleOf(final String packageName)
    {
        String best = null;
        for (final Map.Entry<String, String> entry : PACKAGE_OF.entrySet())
        {
            final String prefix = entry.getValue();
            if ((packageName.equals(prefix) || packageName.startsWith(prefix + ".")) &&
                (best == null || prefix.length() > PACKAGE_OF.get(best).length()))
            {
                best = entry.getKey();
            }
        }
        return best;
    }
}
