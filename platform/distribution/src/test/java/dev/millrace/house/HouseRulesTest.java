package dev.millrace.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** House rules that Checkstyle cannot check. Each message contains the violation, its location, and the alternative. */
@Timeout(60)
class HouseRulesTest
{
    /**
     * A banned text.
     *
     * @param text    pattern
     * @param instead alternative
     * @param allowed files in which it is permitted
     */
    private record Ban(Pattern text, String instead, Predicate<String> allowed)
    {
    }

    /** Where a thread waits for another one, real time is correct: a stopped clock would make it wait forever. */
    private static final List<String> WAITS_FOR_THREADS = List.of(
        "/lane/Deadline.java", "/common/source/Deadline.java", "/semantic/PlanningDeadline.java",
        "/cql/processor/RunningCqlProcessor.java", "/cql/processor/RunningUnits.java",
        "/cql/processor/ProcessorSnapshots.java", "/cql/processor/worker/ThreadWorker.java",
        "/cql/processor/worker/CallerRunsWorker.java",
        "/cql/processor/worker/ChannelInput.java", "/cql/processor/RuleReplacement.java",
        // The duration of rows determines which worker runs the next ones.
        "/cql/processor/worker/WorkerInput.java",
        "/millrace/network/NetworkReplacement.java");

    /** Programs: they print, and they use real time. */
    private static final List<String> PROGRAMS = List.of("/cql/testkit/DifferentialTester.java");

    /** They show the time of day without depending on it. */
    private static final List<String> SHOW_TIME = List.of(
        "/server/audit/AuditLog.java", "/server/deployment/StartMarks.java", "/dev/millrace/server/Activator.java",
        "/cluster/deployment/GroupDeploymentService.java", "/command/instance/InstanceState.java");

    private static final List<Ban> MAIN_BANS = List.of(
        new Ban(Pattern.compile("System\\.currentTimeMillis\\(|Instant\\.now\\(|Clock\\.system(UTC|DefaultZone)\\(" +
            "|new Date\\(\\)"), "System.nanoTime or Clock, for the clock of the machine may jump",
            file -> file.contains("/api/time/") || file.startsWith("loadgen/") || file.startsWith("tuning/") ||
                file.startsWith("clients/") ||
                file.startsWith("platform/command/") && !file.contains("/command/instance/") ||
                SHOW_TIME.stream().anyMatch(file::endsWith)),
        new Ban(Pattern.compile("System\\.(nanoTime|currentTimeMillis)\\(|Instant\\.now\\("),
            "Clock, so that tests and replay own the time",
            file -> file.contains("/api/time/") || file.startsWith("loadgen/") || file.startsWith("tuning/") ||
                file.startsWith("clients/") ||
                file.startsWith("platform/command/") || file.startsWith("platform/launcher/") ||
                file.startsWith("platform/server/") || WAITS_FOR_THREADS.stream().anyMatch(file::endsWith) ||
                PROGRAMS.stream().anyMatch(file::endsWith)),
        new Ban(Pattern.compile("(DocumentBuilderFactory|SAXParserFactory|XMLInputFactory|SchemaFactory" +
            "|TransformerFactory|XPathFactory|XMLReaderFactory)\\s*\\.\\s*new|JAXBContext"),
            "HardenedXml",
            file -> file.endsWith("HardenedXml.java")),
        new Ban(Pattern.compile("\\.printStackTrace\\("), "the logger", file -> false),
        new Ban(Pattern.compile("System\\.(out|err)\\.print"),
            "the logger, or the command's printer",
            file -> file.startsWith("loadgen/") || file.startsWith("tuning/") ||
                file.startsWith("platform/launcher/") || PROGRAMS.stream().anyMatch(file::endsWith)),
        new Ban(Pattern.compile("\\b(TODO|FIXME|XXX|HACK)\\b"), "an issue, or do it now", file -> false),
        new Ban(Pattern.compile("Thread\\.sleep\\("), "a condition, a timed wait or LockSupport",
            file -> file.startsWith("platform/command/") || file.startsWith("tuning/")));

    private static final List<Ban> TEST_BANS = List.of(
        new Ban(Pattern.compile("Thread\\.sleep\\("), "wait for the condition with a deadline", file -> false),
        new Ban(Pattern.compile("@Disabled|assumeTrue"), "a test that runs", file -> false));

    @Test
    void shouldUseWhatTheHouseOffers()
    {
        final List<String> wrong = new ArrayList<>();
        for (final String module : SourceTree.modules())
        {
            check(SourceTree.java(module + "/src/main/java"), MAIN_BANS, wrong);
            check(SourceTree.java(module + "/src/test/java"), TEST_BANS, wrong);
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void shouldGiveEachTestClassATimeLimit()
    {
        final List<String> wrong = new ArrayList<>();
        for (final String module : SourceTree.modules())
        {
            for (final Path file : SourceTree.java(module + "/src/test/java"))
            {
                if (file.getFileName().toString().matches(".*(Test|IT)\\.java") &&
                    !SourceTree.read(file).contains("@Timeout"))
                {
                    wrong.add(SourceTree.name(file) + ": error: no time limit, use @Timeout on the class");
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void shouldGiveEachMarkdownFileExactlyOneTitle()
    {
        final List<String> wrong = new ArrayList<>();
        for (final Path file : SourceTree.files(SourceTree.root(), file -> file.toString().endsWith(".md")))
        {
            final String text = SourceTree.read(file).replaceAll("(?s)```.*?```", "");
            final long titles = text.lines().filter(line -> line.startsWith("# ")).count();
            if (titles != 1)
            {
                wrong.add(SourceTree.name(file) + ": error: " + titles + " titles, use exactly one");
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static void check(final List<Path> files, final List<Ban> bans, final List<String> wrong)
    {
        for (final Path file : files)
        {
            final String name = SourceTree.name(file);
            if (name.contains("/dev/millrace/house/"))
            {
                continue;
            }
            final List<String> lines = SourceTree.read(file).lines().toList();
            for (int i = 0; i < lines.size(); i++)
            {
                for (final Ban ban : bans)
                {
                    if (ban.text().matcher(lines.get(i)).find() && !ban.allowed().test(name))
                    {
                        wrong.add(name + ':' + (i + 1) + ": error: " + ban.text().pattern() +
                            " is banned here, use " + ban.instead());
                    }
                }
            }
        }
    }
}
