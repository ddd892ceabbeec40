package dev.millrace.tuning.kit;

import dev.millrace.tuning.harness.CommandSupport;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code millrace bench kit}: server and clients in one process, or each alone. */
@Command(
    name = "millrace bench kit",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    subcommands = {KitBench.Server.class, KitBench.Client.class},
    description = {
        "A server with 1,000 statements, one per symbol, and clients that send it market data over TCP.",
        "Without SERVER or CLIENT both run in this process for some seconds, on a free port of this machine."},
    footer = {
        "",
        "Latency of the engine: from receiving a batch until all statements have processed it and emitted their rows,",
        "for each of its events. End to end: from when an event was due at its client, by one clock, until then.",
        "",
        "Examples:",
        "  millrace bench kit                                       server and 4 clients, 500,000 events per second",
        "  millrace bench kit -mode VWAP-ROWS -rate 1x200000 -seconds 60 -stat 10",
        "  millrace bench kit server -port 6789 -mode NOOP          until Ctrl-C, for clients on other machines",
        "  millrace bench kit server -rate 1x5000 -seconds 30       simulated clients, no network",
        "  millrace bench kit client -host server.example -port 6789 -rate 4x50000 -seconds 60",
        "",
        "Exit codes: 0 success, 1 failed or events lost, 2 no server found, 64 wrong usage, 130 interrupted."})
public final class KitBench implements Callable<Integer>
{
    static final int DEFAULT_PORT = 6789;

    private static final int DEFAULT_SECONDS = 20;
    private static final int MOST_SECONDS = 7 * 24 * 3600;

    @Mixin
    private final KitRun.Engine engine = new KitRun.Engine();

    @Option(names = {"-rate", "--rate"}, paramLabel = "NxM", converter = Rate.Converter.class,
        description = "N clients, M events per second each, 0 = as fast as possible (default: 4x125000)")
    private Rate rate = new Rate(4, 125_000);

    @Option(names = {"-port", "--port"}, paramLabel = "PORT", description = "TCP port (default: any free one)")
    private int port;

    @Option(names = {"-seconds", "--seconds"}, paramLabel = "N", description = "duration of sending (default: 20)")
    private int seconds = DEFAULT_SECONDS;

    @Spec
    private CommandSpec spec;

    /** The server alone. */
    @Command(
        name = "server", mixinStandardHelpOptions = true, sortOptions = false,
        description = {
            "The server with its statements, for clients that connect over TCP; ends with Ctrl-C or after -seconds.",
            "With -rate no port is opened: clients are simulated by threads in this process."},
        footer = {
            "", "Examples:", "  millrace bench kit server -mode VWAP-TIME -stat 10",
            "  millrace bench kit server -rate 2x100000 -seconds 30 -queue 100000"})
    static final class Server implements Callable<Integer>
    {
        @Mixin
        private final KitRun.Engine engine = new KitRun.Engine();

        @Option(names = {"-rate", "--rate"}, paramLabel = "NxM", converter = Rate.Converter.class,
            description = "simulate N clients with M events per second each, 0 = as fast as possible")
        private Rate rate;

        @Option(names = {"-host", "--host"}, paramLabel = "ADDRESS",
            description = "address to listen on (default: 127.0.0.1, which other machines cannot reach)")
        private String host = "127.0.0.1";

        @Option(names = {"-port", "--port"}, paramLabel = "PORT", description = "TCP port, 0 = any (default: 6789)")
        private int port = DEFAULT_PORT;

        @Option(names = {"-seconds", "--seconds"}, paramLabel = "N",
            description = "duration of the run (default: until Ctrl-C; simulated clients: 20)")
        private int seconds;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException
        {
            OptionRange.check(spec, "-port", port, 0, 0xFFFF);
            OptionRange.check(spec, "-seconds", seconds, 0, MOST_SECONDS);
            engine.check(spec);
            return execute(rate == null ? new KitRun(engine).server(host, port, seconds) :
                new KitRun(engine).simulation(rate, seconds == 0 ? DEFAULT_SECONDS : seconds));
        }
    }

    /** Clients alone. */
    @Command(
        name = "client", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Clients that send market data to a server of the kit.",
        footer = {
            "", "Examples:", "  millrace bench kit client -rate 4x125000",
            "  millrace bench kit client -host server.example -port 6789 -rate 1x0 -seconds 10"})
    static final class Client implements Callable<Integer>
    {
        @Option(names = {"-rate", "--rate"}, paramLabel = "NxM", converter = Rate.Converter.class,
            description = "N connections, M events per second each, 0 = as fast as possible (default: 1x5000)")
        private Rate rate = new Rate(1, 5_000);

        @Option(names = {"-host", "--host"}, paramLabel = "ADDRESS", description = "the server (default: 127.0.0.1)")
        private String host = "127.0.0.1";

        @Option(names = {"-port", "--port"}, paramLabel = "PORT", description = "its TCP port (default: 6789)")
        private int port = DEFAULT_PORT;

        @Option(names = {"-symbols", "--symbols"}, paramLabel = "N",
            description = "symbols, the same number as the server has (default: 1000)")
        private int symbols = KitRun.Engine.DEFAULT_SYMBOLS;

        @Option(names = {"-seconds", "--seconds"}, paramLabel = "N",
            description = "duration (default: 20)")
        private int seconds = DEFAULT_SECONDS;

        @Option(names = {"-stat", "--stat"}, paramLabel = "SECONDS",
            description = "interval between reports of what was sent (default: 5)")
        private int statSeconds = KitRun.Engine.DEFAULT_STAT_SECONDS;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException
        {
            OptionRange.check(spec, "-port", port, 1, 0xFFFF);
            OptionRange.check(spec, "-seconds", seconds, 1, MOST_SECONDS);
            OptionRange.check(spec, "-stat", statSeconds, 1, MOST_SECONDS);
            OptionRange.check(spec, "-symbols", symbols, 1, MarketData.MOST_SYMBOLS);
            return execute(KitRun.client(host, port, new MarketData(symbols), rate, seconds, statSeconds));
        }
    }

    /**
     * Runs the kit.
     *
     * @param arguments options, see {@code --help}
     * @return exit code
     * @throws Exception when something unexpected fails
     */
    public static int run(final String... arguments) throws Exception
    {
        return CommandSupport.run(new KitBench(), arguments);
    }

    @Override
    public Integer call() throws IOException
    {
        OptionRange.check(spec, "-port", port, 0, 0xFFFF);
        OptionRange.check(spec, "-seconds", seconds, 1, MOST_SECONDS);
        engine.check(spec);
        return execute(new KitRun(engine).both(port, rate, seconds));
    }

    private static int execute(final CommandSupport.Work work) throws IOException
    {
        try
        {
            return CommandSupport.interruptible(work);
        }
        catch (final KitException e)
        {
            System.err.println(e.getMessage());
            return e.exitCode();
        }
        catch (final InterruptedException e)
        {
            return CommandSupport.INTERRUPTED;
        }
    }
}
