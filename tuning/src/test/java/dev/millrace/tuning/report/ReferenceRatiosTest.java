package dev.millrace.tuning.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.tuning.CompareBench;
import dev.millrace.tuning.harness.CommandSupport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ReferenceRatiosTest
{
    private static final ReferenceRatios GUARD = new ReferenceRatios(Machine.name(), "17", "2026-01-01",
        Map.of("pair", 1.0, "wire", 1.5));

    @TempDir
    private Path directory;

    @Test
    void shouldSayWhatBecameOfEachWorkloadWhenARunIsCompared()
    {
        assertThat(GUARD.changes(Map.of("pair", 2.0, "trend", 0.9)))
            .extracting(change -> change.name() + ' ' + change.verdict())
            .containsExactly("pair TWICE AS BAD", "trend not in the guard", "wire not measured");
        assertThat(GUARD.changes(Map.of("pair", 1.99, "wire", 1.0)))
            .extracting(change -> change.name() + ' ' + change.verdict())
            .containsExactly("pair ok", "wire better");
    }

    @Test
    void shouldFailWithTheNameWhenARatioIsTwiceAsBad() throws Exception
    {
        final Path guard = directory.resolve("guard.json");
        new ReferenceRatioSet(List.of(GUARD)).write(guard);
        assertThat(compare(guard, line("pair", 2.1, "") + line("wire", 1.5, ""))).isEqualTo(CommandSupport.FAILED);
        assertThat(compare(guard, line("pair", 1.8, "") + line("wire", 1.5, ""))).isEqualTo(CommandSupport.DONE);
    }

    @Test
    void shouldLeaveOtherFormsOutWhenARunIsCompared() throws Exception
    {
        final Path guard = directory.resolve("guard.json");
        new ReferenceRatioSet(List.of(GUARD)).write(guard);
        assertThat(compare(guard,
            line("pair", 9, ",\"form\":\"batch=1\"") + line("wire", 1, ""))).isEqualTo(CommandSupport.DONE);
    }

    @Test
    void shouldTakeRatiosOverAndKeepTheOthersWhenUpdated() throws Exception
    {
        final Path guard = directory.resolve("guard.json");
        new ReferenceRatioSet(List.of(GUARD)).write(guard);
        final Path run = directory.resolve("run.json");
        Files.writeString(run, line("pair", 0.75, ",\"java\":\"25\"") + line("trend", 0.9, ",\"java\":\"25\""));
        assertThat(CompareBench.run("--guard", guard.toString(), "--update",
            run.toString())).isEqualTo(CommandSupport.DONE);
        final ReferenceRatios after = ReferenceRatioSet.read(guard).guards().get(0);
        assertThat(after.ratios()).isEqualTo(Map.of("pair", 0.75, "trend", 0.9, "wire", 1.5));
        assertThat(after.java()).isEqualTo("25");
        assertThat(after.machine()).contains(" processors, ");
    }

    @Test
    void shouldCompareAMachineWithItselfAndWithTheWorstOfOthersWhereItHasNothing()
    {
        final ReferenceRatioSet guards = new ReferenceRatioSet(List.of(
            new ReferenceRatios("small", "17", "2026-01-01", Map.of("pair", 3.0, "wire", 1.0)),
            new ReferenceRatios("large", "25", "2026-01-02", Map.of("pair", 1.0, "wire", 2.0, "trend", 1.5))));
        assertThat(guards.forMachine("small").ratios()).isEqualTo(Map.of("pair", 3.0, "wire", 1.0, "trend", 1.5));
        assertThat(guards.forMachine("large").ratios()).isEqualTo(Map.of("pair", 1.0, "wire", 2.0, "trend", 1.5));
        assertThat(guards.forMachine("new").ratios()).isEqualTo(Map.of("pair", 3.0, "wire", 2.0, "trend", 1.5));
        assertThat(guards.forMachine("new").origin()).contains("2 other machines");
    }

    @Test
    void shouldKeepTheRatiosOfOtherMachinesWhenUpdated() throws Exception
    {
        final Path guard = directory.resolve("guard.json");
        final ReferenceRatios other = new ReferenceRatios("another machine", "17", "2026-01-01", Map.of("pair", 1.0));
        new ReferenceRatioSet(List.of(other)).write(guard);
        final Path run = directory.resolve("run.json");
        Files.writeString(run, line("pair", 2.5, ",\"java\":\"25\""));
        assertThat(compare(guard, line("pair", 2.5, ""))).isEqualTo(CommandSupport.FAILED);
        Files.writeString(run, line("pair", 2.5, ",\"java\":\"25\""));
        assertThat(CompareBench.run("--guard", guard.toString(), "--update",
            run.toString())).isEqualTo(CommandSupport.DONE);
        assertThat(ReferenceRatioSet.read(guard).guards()).hasSize(2).contains(other);
        assertThat(compare(guard, line("pair", 2.5, ""))).isEqualTo(CommandSupport.DONE);
    }

    @Test
    void shouldRefuseAShortRunWhenUpdated() throws Exception
    {
        final Path guard = directory.resolve("guard.json");
        new ReferenceRatioSet(List.of(GUARD)).write(guard);
        final Path run = directory.resolve("run.json");
        Files.writeString(run, line("pair", 0.5, ",\"short\":\"yes\""));
        assertThat(CompareBench.run("--guard", guard.toString(), "--update",
            run.toString())).isEqualTo(CommandSupport.USAGE);
        assertThat(ReferenceRatioSet.read(guard)).isEqualTo(new ReferenceRatioSet(List.of(GUARD)));
    }

    @Test
    void shouldSayWhichFileAndLineWhenSomethingIsNoResult() throws Exception
    {
        final Path run = directory.resolve("run.json");
        Files.writeString(run, line("pair", 1, "") + "{\"workload\":\n");
        assertThatThrownBy(() -> new ResultFile(run)).isInstanceOf(IOException.class)
            .hasMessageContaining("run.json line=2");
        Files.writeString(run, "{}");
        assertThatThrownBy(() ->
            ReferenceRatioSet.read(run)).isInstanceOf(IOException.class).hasMessageContaining("not a guard");
    }

    private int compare(final Path guard, final String lines) throws Exception
    {
        final Path run = directory.resolve("run.json");
        Files.writeString(run, lines);
        return CompareBench.run("--guard", guard.toString(), run.toString());
    }

    private static String line(final String workload, final double ratio, final String more)
    {
        return "{\"workload\":\"" + workload + "\",\"variant\":\"\",\"ratioToLimit\":" + ratio + more + "}\n";
    }
}
