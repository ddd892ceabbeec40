package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.demo.ExpectedSignals;
import dev.millrace.command.demo.SampleFigures;
import dev.millrace.command.demo.TickFile;
import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.FreePorts;
import dev.millrace.command.instance.InstanceProcess;
import dev.millrace.command.instance.Ports;
import dev.millrace.command.management.ManagementClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The white paper's steps, executed manually: copy the server's directory, edit ports and names in the copies, start
 * all, deploy once to the cluster, feed each by a load generator with its own property file. With two instances instead
 * of ten; then one of them is killed and rejoins.
 */
@Timeout(300)
class WhitePaperStepsIT
{
    private static final int INSTANCES = 2;
    private static final int CLUSTER_PORTS = 4;
    private static final int SECONDS = 2;
    private static final int WAIT_SECONDS = 60;

    @TempDir
    private Path directory;

    private final List<InstanceProcess> instances = new ArrayList<>();
    private final List<ManagementClient> clients = new ArrayList<>();
    private final List<ExpectedSignals> expected = new ArrayList<>();
    private final long[] sent = new long[INSTANCES];
    private List<Ports> ports;
    private int clusterPort;
    private TickFile ticks;

    @BeforeEach
    void choosePorts() throws IOException
    {
        ports = Ports.free(INSTANCES);
        clusterPort = FreePorts.range(2 * CLUSTER_PORTS);
        ticks = TickFile.read(Product.HOME.ticks(), Product.HOME.signalGeneration());
    }

    @AfterEach
    void stop()
    {
        instances.forEach(InstanceProcess::close);
    }

    @Test
    void shouldRunTheStudyWhenItsStepsAreFollowedAndGoOnWhenOneIsKilled() throws Exception
    {
        for (int i = 0; i < INSTANCES; i++)
        {
            instances.add(InstanceProcess.start(copy(i), null, List.of()));
            expected.add(new ExpectedSignals(ticks.watched()));
        }
        for (final InstanceProcess instance : instances)
        {
            clients.add(instance.awaitRunning(RunningInstance.START_MS));
        }
        final Product.Result installed = Product.millrace("app", "install", "--group", "AllDomainMembers",
            Product.HOME.signalGeneration().toString(), "--domain", instances.get(0).domain().directory().toString());
        assertThat(installed.exitCode()).as(installed.output()).isZero();

        final List<Process> generators = List.of(feed(0), feed(1));
        assertListensOnLoopbackOnly(0);
        for (int i = 0; i < INSTANCES; i++)
        {
            awaitEnd(generators.get(i), i);
            check(i);
        }

        final Process generator = feed(0);
        instances.get(1).process().destroyForcibly().waitFor(WAIT_SECONDS, TimeUnit.SECONDS);
        restart();
        awaitEnd(generator, 0);
        check(0);
        awaitEnd(feed(1), 1);
        check(1);
    }

    /** Steps 1 to 4: the copy of the directory, two ports in the script, one in config.xml, the cluster's section. */
    private Domain copy(final int instance) throws IOException
    {
        final Path source = Product.HOME.domains().resolve("defaultserver");
        final Path target = directory.resolve("defaultserver" + (instance + 1));
        try (var files = Files.walk(source))
        {
            for (final Path file : files.toList())
            {
                Files.copy(file, target.resolve(source.relativize(file)));
            }
        }
        final Ports own = ports.get(instance);
        final Path script = target.resolve("startwlevs.sh");
        edit(script, "loadgen.port=9001", "loadgen.port=" + own.loadgen());
        edit(script, "timesync.port=9011", "timesync.port=" + own.timesync());
        // These copies are not in user_projects/domains.
        edit(script, "WLEVS_HOME:-../../..", "WLEVS_HOME:-" + Product.HOME.directory());
        final Path config = target.resolve("config/config.xml");
        edit(config, "<port>9002</port>", "<port>" + own.netio() + "</port>");
        edit(config, "<server-name>defaultserver</server-name>",
            "<server-name>server" + (instance + 1) + "</server-name>");
        edit(config, "<enabled>false</enabled>", "<enabled>true</enabled>");
        // The copies have no secret, and must not create one in the home of the user who runs the build. Their load is
        // over before optimized code pays off.
        Files.writeString(target.resolve("config/jvm.options"),
            "-Duser.home=" + directory + "\n-XX:TieredStopAtLevel=1\n", StandardOpenOption.APPEND);
        // Other processes on this machine may have clusters.
        edit(config, "</cluster>", "<discovery-port>" + clusterPort + "</discovery-port><communication-port>" +
            (clusterPort + CLUSTER_PORTS) + "</communication-port><port-range>" + CLUSTER_PORTS +
            "</port-range></cluster>");
        return new Domain(target);
    }

    private static void edit(final Path file, final String before, final String after) throws IOException
    {
        final String text = Files.readString(file);
        assertThat(text).as(file.toString()).contains(before);
        Files.writeString(file, text.replace(before, after));
    }

    private Process feed(final int instance) throws IOException
    {
        final Path file = directory.resolve("generator" + instance + ".prop");
        final String shipped = Files.readString(Product.HOME.loadGenerator().resolveSibling("csvgen.prop"));
        assertThat(shipped).contains("test.port=9001").contains("test.timesyncPort=9011").contains("test.secs=30");
        Files.writeString(file, shipped.replace("test.port=9001", "test.port=" + ports.get(instance).loadgen())
            .replace("test.timesyncPort=9011", "test.timesyncPort=" + ports.get(instance).timesync())
            .replace("test.csvDataFile=data/ticks.csv", "test.csvDataFile=" + Product.HOME.ticks())
            .replace("test.secs=30", "test.secs=" + SECONDS) +
            "\ntest.summaryFile=" + summary(instance) + "\n");
        return Product.start(Map.of(), directory.resolve("generator" + instance + ".log").toFile(),
            Product.HOME.loadGenerator(), file.toString());
    }

    private Path summary(final int instance)
    {
        return directory.resolve("summary" + instance + ".json");
    }

    private void awaitEnd(final Process generator, final int instance) throws Exception
    {
        assertThat(generator.waitFor()).as(Files.readString(directory.resolve("generator" + instance + ".log")))
            .isZero();
        final List<Long> rows = new ArrayList<>();
        final JsonObject said = JsonParser.parseString(Files.readString(summary(instance))).getAsJsonObject();
        for (final JsonElement connection : said.getAsJsonArray("connections"))
        {
            rows.add(connection.getAsJsonObject().get("rowsSent").getAsLong());
        }
        expected.get(instance).play(ExpectedSignals.split(ticks.ticks(), rows.size()), rows);
        sent[instance] += rows.stream().mapToLong(Long::longValue).sum();
    }

    private void check(final int instance) throws Exception
    {
        assertThat(sent[instance]).isPositive();
        final ExpectedSignals.Counts counts = expected.get(instance).counts();
        Product.await("all rows are in and out", WAIT_SECONDS, () ->
        {
            final SampleFigures figures = figures(instance);
            return figures.accepted() == sent[instance] && figures.signals() == counts.signals() &&
                figures.trends() == counts.trends();
        });
        assertThat(figures(instance).rejected()).isZero();
    }

    /** Returns the figures of the sample; there is no response while it is being deployed. */
    private SampleFigures figures(final int instance)
    {
        try
        {
            return SampleFigures.of(clients.get(instance).statistics(Product.APPLICATION));
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private void restart() throws Exception
    {
        instances.set(1, InstanceProcess.start(instances.get(1).domain(), null, List.of()));
        clients.set(1, instances.get(1).awaitRunning(RunningInstance.START_MS));
        expected.set(1, new ExpectedSignals(ticks.watched()));
        sent[1] = 0;
        Product.await("it is back and has deployed by itself", WAIT_SECONDS, () -> isBack(clients.get(1)));
    }

    private static boolean isBack(final ManagementClient client)
    {
        try
        {
            final JsonObject server = client.server();
            return server.getAsJsonObject("cluster").getAsJsonArray("members").size() == INSTANCES &&
                "RUNNING".equals(client.application(Product.APPLICATION).get("state").getAsString());
        }
        catch (final CommandException e)
        {
            // The application does not exist yet.
            return false;
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    /** Checks the ports of the whole process: management, events, clock, discovery, communication, and all others. */
    private void assertListensOnLoopbackOnly(final int instance) throws IOException
    {
        final Map<Integer, String> sockets = ListeningSockets.of(instances.get(instance).process().pid());
        final Ports own = ports.get(instance);
        assertThat(sockets).containsKeys(own.netio(), own.loadgen(), own.timesync());
        assertThat(sockets.keySet()).anyMatch(port -> port >= clusterPort && port < clusterPort + CLUSTER_PORTS)
            .anyMatch(port -> port >= clusterPort + CLUSTER_PORTS && port < clusterPort + 2 * CLUSTER_PORTS);
        assertThat(sockets.values()).allMatch(ListeningSockets::isLoopback);
    }
}
