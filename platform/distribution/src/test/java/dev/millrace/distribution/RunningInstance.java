package dev.millrace.distribution;

import dev.millrace.command.instance.ClusterSecret;
import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.DomainTemplate;
import dev.millrace.command.instance.InstanceProcess;
import dev.millrace.command.instance.Ports;
import dev.millrace.command.management.ManagementClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** An instance in a separate domain, and the command line for it. */
final class RunningInstance implements AutoCloseable
{
    static final long START_MS = 180_000;

    private static final String SECRET = ClusterSecret.random();

    final Domain domain;
    final Ports ports;
    InstanceProcess process;
    ManagementClient client;

    RunningInstance(final Path directory) throws IOException, InterruptedException
    {
        this(directory, UnaryOperator.identity());
    }

    RunningInstance(final Path directory, final UnaryOperator<String> configuration)
        throws IOException, InterruptedException
    {
        this(configuration, directory);
        awaitRunning();
    }

    private RunningInstance(final UnaryOperator<String> configuration, final Path directory) throws IOException
    {
        ports = Ports.free();
        domain = DomainTemplate.create(Product.HOME, directory, ports, 0);
        final Path file = domain.directory().resolve("config/config.xml");
        // Tests deploy at once, and then the warm-up would only use processor time; StartIT covers it.
        Files.writeString(file, configuration.apply(Files.readString(file)).replace("</n1:config>",
            "  <cql><warm-up>false</warm-up></cql>\n</n1:config>"));
        // A few seconds of load are over before optimized code pays off; the demo and the benchmarks run with it.
        Files.writeString(domain.directory().resolve("config/jvm.options"), "-XX:TieredStopAtLevel=1\n",
            StandardOpenOption.APPEND);
        // Otherwise members on loopback would use, and create, the secret of the user who runs the build.
        ClusterSecret.make(domain, SECRET);
        begin();
    }

    /** Starts an instance without waiting, so that another one can start in parallel. */
    static RunningInstance begun(final Path directory, final UnaryOperator<String> configuration) throws IOException
    {
        return new RunningInstance(configuration, directory);
    }

    private void begin() throws IOException
    {
        process = InstanceProcess.start(domain, null, List.of());
    }

    void awaitRunning() throws IOException, InterruptedException
    {
        client = process.awaitRunning(START_MS);
    }

    void start() throws IOException, InterruptedException
    {
        begin();
        awaitRunning();
    }

    /** Ends the process as {@code kill -9} does. */
    void kill() throws InterruptedException
    {
        process.process().destroyForcibly().waitFor();
    }

    /** Waits for a state of an application. */
    void awaitState(final String application, final String state) throws InterruptedException
    {
        try
        {
            Product.await(state, 120, () -> isInState(application, state));
        }
        catch (final AssertionError e)
        {
            throw new AssertionError(client.application(application).toString(), e);
        }
    }

    private boolean isInState(final String application, final String state)
    {
        try
        {
            return state(application).equals(state);
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    Product.Result app(final String verb, final Object... arguments) throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of("app", verb));
        for (final Object argument : arguments)
        {
            command.add(argument.toString());
        }
        command.addAll(List.of("--domain", domain.directory().toString()));
        return Product.millrace(command.toArray(new String[0]));
    }

    String state(final String application) throws InterruptedException
    {
        return client.application(application).get("state").getAsString();
    }

    @Override
    public void close()
    {
        process.close();
    }
}
