package dev.millrace.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class GuardTest
{
    private static final Guard GUARD = new Guard(Machine.name(), "17", "2026-01-01", Map.of("pair", 1.0, "wire", 1.5));

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
        new Guards(List.of(GUARD)).write(guard);
        assertThat(compare(guard, line("pair", 2.1, "") + line("wire", 1.5, ""))).isEqualTo(Tool.FAILED);
        assertThat(compare(guard, line("pair", 1.8, "") + line("wire", 1.5, ""))).isEqualTo(Tool.DONE);
    }

    @Test
    void shouldLeaveOtherFormsOutWhenARunIsCompared() throws Exception
    {
        final Path guard = directory.resolve("guard.json");
        new Guards(List.of(GUARD)).write(guard);
        assertThat(compare(guard, line("pair", 9, ",\"form\":\"batch=1\"") + line("wire", 1, ""))).isEqualTo(Tool.DONE);
    }

    @Test
    void shouldTakeRatiosOverAndKeepTheOthersWhenUpdated() throws Exception
    {
        final Path guard = directory.resolve("guard.json");
        new Guards(List.of(GUARD)).write(guard);
        final Path run = directory.resolve("run.json");
        Files.writeString(run, line("pair", 0.75, ",\"java\":\"25\"") + line("trend", 0.9, ",\"java\":\"25\""));
        assertThat(CompareBench.run("--guard", guard.toString(), "--update", run.toString())).isEqualTo(Tool.DONE);
        final Guard after = Guards.read(guard).guards().get(0);
        assertThat(after.ratios()).isEqualTo(Map.of("pair", 0.75, "trend", 0.9, "wire", 1.5));
        assertThat(after.java()).isEqualTo("25");
        assertThat(after.machine()).contains(" processors, ");
    }

    @Test
    void shouldCompareAMachineWithItselfAndWithTheWorstOfOthersWhereItHasNothing()
    {
        final Guards guards = new Guards(List.of(
            new Guard("small", "17", "2026-01-01", Map.of("pair", 3.0, "wire", 1.0)),
            new Guard("large", "25", "2026-01-02", Map.of("pair", 1.0, "wire", 2.0, "trend", 1.5))));
        assertThat(guards.forMachine("small").ratios()).isEqualTo(Map.of("pair", 3.0, "wire", 1.0, "trend", 1.5));
        assertThat(guards.forMachine("large").ratios()).isEqualTo(Map.of("pair", 1.0, "wire", 2.0, "trend", 1.5));
        assertThat(guards.forMachine("new").ratios()).isEqualTo(Map.of("pair", 3.0, "wire", 2.0, "trend", 1.5));
        assertThat(guards.forMachine("new").origin()).contains("2 other machines");
    }

    @Test
    void shouldKeepTheRatiosOfOtherMachinesWhenUpdated() throws Exception
    {
        final Path guard = directory.resolve("guard.json");
        final Guard other = new Guard("another machine", "17", "2026-01-01", Map.of("pair", 1.0));
        new Guards(List.of(other)).write(guard);
        final Path run = directory.resolve("run.json");
        Files.writeString(run, line("pair", 2.5, ",\"java\":\"25\""));
        assertThat(compare(guard, line("pair", 2.5, ""))).isEqualTo(Tool.FAILED);
        Files.writeString(run, line("pair", 2.5, ",\"java\":\"25\""));
        assertThat(CompareBench.run("--guard", guard.toString(), "--update", run.toString())).isEqualTo(Tool.DONE);
        assertThat(Guards.read(guard).guards()).hasSize(2).contains(other);
        assertThat(compare(guard, line("pair", 2.5, ""))).isEqualTo(Tool.DONE);
    }

    @Test
    void shouldRefuseAShortRunWhenUpdated() throws Exception
    {
        final Path guard = directory.resolve("guard.json");
        new Guards(List.of(GUARD)).write(guard);
        final Path run = directory.resolve("run.json");
        Files.writeString(run, line("pair", 0.5, ",\"short\":\"yes\""));
        assertThat(CompareBench.run("--guard", guard.toString(), "--update", run.toString())).isEqualTo(Tool.USAGE);
        assertThat(Guards.read(guard)).isEqualTo(new Guards(List.of(GUARD)));
    }

    @Test
    void shouldSayWhichFileAndLineWhenSomethingIsNoResult() throws Exception
    {
        final Path run = directory.resolve("run.json");
        Files.writeString(run, line("pair", 1, "") + "{\"workload\":\n");
        assertThatThrownBy(() -> new ResultFile(run)).isInstanceOf(IOException.class)
            .hasMessageContaining("run.json line=2");
        Files.writeString(run, "{}");
        assertThatThrownBy(() -> Guards.read(run)).isInstanceOf(IOException.class).hasMessageContaining("not a guard");
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
