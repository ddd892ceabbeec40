package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.FreePorts;
import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several instances on one host, managed by commands and manually. Two of them run at the beginning of each test. */
@Timeout(300)
class DomainsIT
{
    private static final int FAILED = 1;
    private static final int NOT_FOUND = 2;
    private static final int INTERRUPTED = 130;
    private static final int INSTANCES = 3;
    private static final int PORTS = 3;

    @TempDir
    private static Path directory;

    private static Domain base;
    private static Domain first;
    private static Domain second;

    @BeforeAll
    static void startTwo() throws Exception
    {
        base = domain("base");
        first = domain("copy1");
        second = domain("copy2");
        final int port = FreePorts.range(INSTANCES * PORTS);
        succeed("create", base.directory().toString(), "--netio-port", String.valueOf(port), "--loadgen-port",
            String.valueOf(port + 1), "--timesync-port", String.valueOf(port + 2));
        succeed("clone", base.directory().toString(), "2", "--prefix", "copy", "--processor-sets", "0,0",
            "--ports-from", String.valueOf(port + PORTS), "--port-step", String.valueOf(PORTS));
        assertThat(succeed("start", "copy?", "--below", directory.toString())).contains("2 of 2 run");
    }

    @AfterAll
    static void stopAll() throws Exception
    {
        succeed("stop", "--all", "--below", directory.toString());
        assertThat(Product.processes(directory.toString())).isEmpty();
    }

    private static Domain domain(final String name)
    {
        return new Domain(directory.resolve(name));
    }

    private static Result command(final String... arguments) throws IOException, InterruptedException
    {
        return Product.millrace(Stream.concat(Stream.of("domain"), Stream.of(arguments)).toArray(String[]::new));
    }

    private static String succeed(final String... arguments) throws IOException, InterruptedException
    {
        final Result result = command(arguments);
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output();
    }

    private static Result script(final Domain domain, final String name, final String... arguments)
        throws IOException, InterruptedException
    {
        return Product.run(Map.of(), domain.directory().resolve(name), arguments);
    }

    /** Copies a domain manually, including all files of the running instance. */
    private static Domain copiedByHand(final String name) throws IOException, InterruptedException
    {
        final Domain copy = domain(name);
        assertThat(new ProcessBuilder("cp", "-r", first.directory().toString(), copy.directory().toString())
            .start().waitFor()).isZero();
        assertThat(copy.directory().resolve("var/pid")).exists();
        return copy;
    }

    @Test
    void shouldShowEachInstanceWithStateProcessAndPorts() throws Exception
    {
        final Result table = command("status", "--all", "--below", directory.toString());
        assertThat(table.output()).containsPattern("base +STOPPED +- +-  loadgen=")
            .containsPattern("copy1 +RUNNING +" + first.pid().orElseThrow() + " +.* netio=" + first.netioPort())
            .containsPattern("copy2 +RUNNING +" + second.pid().orElseThrow() + " +.* netio=" + second.netioPort());
        assertThat(table.exitCode()).isEqualTo(NOT_FOUND);
        assertThat(succeed("list", "--below", directory.toString())).contains("copy1", "copy2", "base");
    }

    @Test
    void shouldKeepAnInstanceOnItsProcessors() throws Exception
    {
        assertThat(Files.readString(Path.of("/proc/" + first.pid().orElseThrow() + "/status")))
            .containsPattern("Cpus_allowed_list:\\s+0\n");
    }

    @Test
    void shouldNotStopTheNeighbourWhenADirectoryWasCopiedWithItsTokenAndAddress() throws Exception
    {
        final Domain copy = copiedByHand("without-run");
        final Result stop = script(copy, "stopwlevs.sh");
        assertThat(stop.exitCode()).as(stop.output()).isEqualTo(NOT_FOUND);
        assertThat(stop.output()).contains("CMD-0133", copy.directory().toString());
        final Result other = script(second, "stopwlevs.sh", "-url", first.url());
        assertThat(other.exitCode()).as(other.output()).isEqualTo(FAILED);
        assertThat(first.pid()).isPresent();
        assertThat(second.pid()).isPresent();
        assertThat(first.client().server().get("state").getAsString()).isEqualTo("RUNNING");
    }

    @Test
    void shouldNamePortsAndTheOtherInstanceWhenACopyHasTheSame() throws Exception
    {
        final Domain copy = copiedByHand("same-ports");
        final Result start = script(copy, "startwlevs.sh");
        assertThat(start.exitCode()).as(start.output()).isEqualTo(FAILED);
        assertThat(start.output()).contains("SRV-0139", "property=loadgen.port", "property=timesync.port", "SRV-0111",
            "port=" + first.netioPort(), "domain=" + first.directory() + " pid=" + first.pid().orElseThrow());
        assertThat(first.client().server().get("state").getAsString()).isEqualTo("RUNNING");
    }

    @Test
    void shouldStopItsOwnInstanceByScriptWhileOthersRun() throws Exception
    {
        final long pid = second.pid().orElseThrow();
        final Result stop = script(second, "stopwlevs.sh");
        assertThat(stop.exitCode()).as(stop.output()).isZero();
        assertThat(stop.output()).contains("stopped copy2, pid " + pid);
        assertThat(first.pid()).isPresent();
        assertThat(succeed("start", second.directory().toString())).containsPattern("copy2 +RUNNING, pid ");
        assertThat(succeed("start", second.directory().toString())).containsPattern("copy2 +already running");
    }

    @Test
    void shouldSayWhyAndLeaveNoProcessWhenAnInstanceDoesNotStart() throws Exception
    {
        final Domain broken = domain("broken");
        succeed("create", broken.directory().toString());
        final Path config = broken.directory().resolve("config/config.xml");
        Files.writeString(config, Files.readString(config).replace("<domain>", "<nonsense/><domain>"));
        final Result start = command("start", broken.directory().toString(), first.directory().toString());
        assertThat(start.exitCode()).as(start.output()).isEqualTo(FAILED);
        assertThat(start.output()).contains("CMD-0130", "SRV-01", "nonsense", "copy1 ");
        assertThat(Product.processes(broken.directory().toString())).isEmpty();
    }

    @Test
    void shouldLeaveNoProcessWhenAStartIsInterrupted() throws Exception
    {
        final Path output = Files.createTempFile(directory, "output", ".txt");
        final Process start = Product.startInterruptible(Map.of(), output.toFile(),
            Product.HOME.directory().resolve("bin/millrace"), "domain", "start", base.directory().toString());
        Product.await("an instance beside the command", 60,
            () -> !start.isAlive() || Product.processes("-Dwlevs.domain.home=" + base.directory()).size() > 0);
        assertThat(start.isAlive()).as(Files.readString(output)).isTrue();
        new ProcessBuilder("kill", "-INT", String.valueOf(start.pid())).start().waitFor();
        assertThat(start.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(start.exitValue()).as(Files.readString(output)).isEqualTo(INTERRUPTED);
        assertThat(Product.processes("-Dwlevs.domain.home=" + base.directory())).isEmpty();
    }
}
