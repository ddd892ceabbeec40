package dev.millrace.tuning.kit;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.internal.StatusLine;
import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.CommandSupport;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** A run of the kit: implementation of the commands, and their output. Not thread-safe. */
final class KitRun
{
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_MS = 20;
    private static final String LOOPBACK = "127.0.0.1";
    private static final long SHORT_DRAIN_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(60);
    private static final double BITS_A_BYTE = 8;

    private final Engine options;
    private final MarketData data;
    private final KitStatistics statistics = new KitStatistics(System.nanoTime());
    private final PrintStream out = System.out;
    private final StatusLine progress = BenchContext.progressOfProcess();

    /** Options of commands that have an engine. */
    static final class Engine
    {
        static final int DEFAULT_SYMBOLS = 1_000;
        static final int DEFAULT_STAT_SECONDS = 5;
        static final int DEFAULT_WARM_UP_SECONDS = 5;

        @Option(names = {"-mode", "--mode"}, paramLabel = "KEY", description =
            "statements to register: NOOP none; STP one statement that returns each event; MALL one per symbol that " +
            "returns its events; MNONE one per symbol that rejects its events; VWAP-TIME and VWAP-ROWS one per " +
            "symbol: volume-weighted price over 30 seconds or 1,000 rows (default: VWAP-TIME)")
        private String mode = "VWAP-TIME";

        @Option(names = {"-statements", "--statements"}, paramLabel = "FILE",
            description = "properties file with your own statements by key; $ is replaced by a symbol")
        private Path statements;

        @Option(names = {"-symbols", "--symbols"}, paramLabel = "N",
            description = "symbols; clients must have the same number (default: 1000)")
        private int symbols = DEFAULT_SYMBOLS;

        @Option(names = {"-queue", "--queue"}, paramLabel = "EVENTS", description =
            "-1: the thread of a connection calls the engine; 1 or more: it adds events to a queue of this " +
            "length, and waits while it is full (default: -1)")
        private int queue = KitEngine.NO_QUEUE;

        @Option(names = {"-batch", "--batch"}, paramLabel = "EVENTS", description =
            "maximum events per batch for the engine, 1 to 256; a batch contains available events and never waits " +
            "for more (default: 256)")
        private int batchRows = EventBatch.CAPACITY;

        @Option(names = {"-sleep", "--sleep"}, paramLabel = "MS",
            description = "delay of the listener for each row that a statement emits (default: 0)")
        private int sleepMs;

        @Option(names = {"-stat", "--stat"}, paramLabel = "SECONDS",
            description = "interval of the statistics (default: 5)")
        private int statSeconds = DEFAULT_STAT_SECONDS;

        @Option(names = {"-warmup", "--warmup"}, paramLabel = "SECONDS",
            description = "warm-up before events are counted (default: 5)")
        private int warmUpSeconds = DEFAULT_WARM_UP_SECONDS;

        /** Refuses invalid combinations. */
        void check(final CommandSpec spec)
        {
            OptionRange.check(spec, "-symbols", symbols, 1, MarketData.MOST_SYMBOLS);
            OptionRange.check(spec, "-batch", batchRows, 1, EventBatch.CAPACITY);
            OptionRange.check(spec, "-sleep", sleepMs, 0, TimeUnit.MINUTES.toMillis(1));
            OptionRange.check(spec, "-warmup", warmUpSeconds, 0, TimeUnit.DAYS.toSeconds(1));
            OptionRange.check(spec, "-stat", statSeconds, 1, TimeUnit.DAYS.toSeconds(1));
            if (queue != KitEngine.NO_QUEUE && queue < 1)
            {
                throw new ParameterException(spec.commandLine(), "-queue must be -1 for no queue, or the number of " +
                    "events that may wait, at least 1, not " + queue);
            }
        }
    }

    KitRun(final Engine options)
    {
        this.options = options;
        data = new MarketData(options.symbols);
    }

    /** Server and clients in this process. */
    CommandSupport.Work both(final int port, final Rate rate, final int seconds)
    {
        return () ->
        {
            final List<String> texts = statements();
            try (KitServer server = new KitServer(LOOPBACK, port, data, statistics);
                KitEngine engine = engine(texts);
                KitClient client = connect(server, engine, rate))
            {
                out.println("clients " + rate + " over TCP, port " + server.port() + ", for " + forSeconds(seconds) +
                    "; end to end by " + client.clock());
                statistics.begin(System.nanoTime());
                client.start((options.warmUpSeconds + seconds) * SECOND_NS);
                try
                {
                    watch(engine, seconds, client::isSending);
                    client.stop();
                }
                catch (final InterruptedException e)
                {
                    client.stop();
                    finish(engine, client.sent(), server.awaitClients(SHORT_DRAIN_NS));
                    throw e;
                }
                return finish(engine, client.sent(), server.awaitClients(DRAIN_NS), server.failures(),
                    client.failures());
            }
        };
    }

    /** A server for clients elsewhere. */
    CommandSupport.Work server(final String host, final int port, final int seconds)
    {
        return () ->
        {
            final List<String> texts = statements();
            try (KitServer server = new KitServer(host, port, data, statistics);
                KitEngine engine = engine(texts))
            {
                statistics.begin(System.nanoTime());
                server.start(engine);
                out.println("listening, host " + host + " port " + server.port() +
                    (seconds == 0 ? ", until Ctrl-C" : ", for " + forSeconds(seconds)));
                try
                {
                    watch(engine, seconds == 0 ? Integer.MAX_VALUE : seconds, () -> true);
                }
                catch (final InterruptedException e)
                {
                    server.stop();
                    finish(engine, statistics.events(), true, server.failures());
                    throw e;
                }
                server.stop();
                engine.stop();
                return finish(engine, statistics.events(), true, server.failures());
            }
        };
    }

    /** Simulated clients. */
    CommandSupport.Work simulation(final Rate rate, final int seconds)
    {
        return () ->
        {
            try (KitEngine engine = engine(statements());
                Simulation clients = new Simulation(rate, data, engine,
                    (options.warmUpSeconds + seconds) * SECOND_NS))
            {
                out.println("clients " + rate + " simulated, for " + forSeconds(seconds));
                statistics.begin(System.nanoTime());
                clients.start();
                try
                {
                    watch(engine, seconds, clients::isSending);
                }
                catch (final InterruptedException e)
                {
                    clients.stop();
                    finish(engine, clients.sent(), true);
                    throw e;
                }
                clients.stop();
                return finish(engine, clients.sent(), true);
            }
        };
    }

    private String forSeconds(final int seconds)
    {
        return seconds + " s" + (options.warmUpSeconds == 0 ? "" : " after " + options.warmUpSeconds +
            " s that are not counted");
    }

    /** Clients of a server on another machine. */
    static CommandSupport.Work client(final String host, final int port, final MarketData data, final Rate rate,
        final int seconds, final int statSeconds)
    {
        return () ->
        {
            try (KitClient client = new KitClient(host, port, data, rate))
            {
                System.out.println("clients " + rate + ", host " + host + " port " + port + ", for " + seconds +
                    " s; end to end by " + client.clock());
                final long startNs = System.nanoTime();
                client.start(seconds * SECOND_NS);
                long nextNs = startNs + statSeconds * SECOND_NS;
                long sent = 0;
                while (client.isSending())
                {
                    Thread.sleep(LOOK_MS);
                    if (System.nanoTime() >= nextNs)
                    {
                        System.out.printf(Locale.ROOT, "sent %d events per second, requested %d%n",
                            (client.sent() - sent) / statSeconds, rate.clients() * rate.eventsPerSec());
                        sent = client.sent();
                        nextNs += statSeconds * SECOND_NS;
                    }
                }
                client.stop();
                System.out.printf(Locale.ROOT, "sent %d events in %.1f s%n", client.sent(),
                    (System.nanoTime() - startNs) / 1e9);
                client.failures().forEach(System.err::println);
                return client.failures().isEmpty() ? CommandSupport.DONE : CommandSupport.FAILED;
            }
        };
    }

    private KitClient connect(final KitServer server, final KitEngine engine, final Rate rate)
    {
        server.start(engine);
        return new KitClient(LOOPBACK, server.port(), data, rate);
    }

    private List<String> statements()
    {
        return new Statements(options.statements).of(options.mode, data);
    }

    private KitEngine engine(final List<String> statements)
    {
        out.printf(Locale.ROOT, "mode %s: %d %s%s%n", options.mode, statements.size(),
            statements.size() == 1 ? "statement" : "statements",
            statements.isEmpty() ? "" : ", for example " + statements.get(0));
        out.printf(Locale.ROOT, "an event has %d bytes: at most %.0f events per second on a network of 100 Mbit/s, " +
            "%.0f on 1 Gbit/s%n", data.eventBytes(), 1e8 / BITS_A_BYTE / data.eventBytes(),
            1e9 / BITS_A_BYTE / data.eventBytes());
        final long startNs = System.nanoTime();
        final Ticker ticker = new Ticker("registering " + statements.size() + " statements");
        try
        {
            final KitEngine engine = new KitEngine(
                data, statements, options.queue, options.batchRows, options.sleepMs, statistics);
            ticker.end();
            out.printf(Locale.ROOT, "registered in %.1f s; latency of the engine in ns, end to end in ms%n",
                (System.nanoTime() - startNs) / 1e9);
            return engine;
        }
        finally
        {
            ticker.end();
        }
    }

    /** Shows activity while the main thread is busy. */
    private final class Ticker
    {
        private final Thread thread;
        private volatile boolean isOver;

        Ticker(final String what)
        {
            progress.begin();
            thread = new Thread(() ->
            {
                while (!isOver)
                {
                    progress.showWithSeconds(what);
                    LockSupport.parkNanos(SECOND_NS / 5);
                }
                progress.clear();
            }, "kit-progress");
            thread.setDaemon(true);
            thread.start();
        }

        void end()
        {
            isOver = true;
            LockSupport.unpark(thread);
            try
            {
                thread.join();
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Prints statistics until the time has elapsed or no client sends any more. */
    private void watch(final KitEngine engine, final long seconds, final BooleanSupplier isSending)
        throws InterruptedException
    {
        warmUp(seconds, isSending);
        final long startNs = System.nanoTime();
        final long intervalNs = options.statSeconds * SECOND_NS;
        long nextNs = startNs + intervalNs;
        while (isSending.getAsBoolean() && System.nanoTime() - startNs < seconds * SECOND_NS)
        {
            Thread.sleep(LOOK_MS);
            final long nowNs = System.nanoTime();
            if (nowNs >= nextNs)
            {
                out.print(statistics.report(nowNs, engine.pending()));
                out.flush();
                nextNs += intervalNs;
            }
        }
    }

    /** Waits from the first event on, at most for the length of the run. */
    private void warmUp(final long seconds, final BooleanSupplier isSending) throws InterruptedException
    {
        if (options.warmUpSeconds == 0)
        {
            return;
        }
        long startNs = System.nanoTime();
        long waitNs = seconds * SECOND_NS;
        boolean isFlowing = false;
        progress.begin();
        while (isSending.getAsBoolean() && System.nanoTime() - startNs < waitNs)
        {
            Thread.sleep(LOOK_MS);
            progress.showWithSeconds(isFlowing ? "warming up" : "waiting for the first event");
            if (!isFlowing && statistics.events() > 0)
            {
                isFlowing = true;
                startNs = System.nanoTime();
                waitNs = options.warmUpSeconds * SECOND_NS;
            }
        }
        progress.clear();
        statistics.begin(System.nanoTime());
    }

    /** Prints the last blocks, and checks that nothing was lost. */
    @SafeVarargs
    private int finish(final KitEngine engine, final long sent, final boolean isDrained,
        final List<String>... failures)
    {
        engine.stop();
        final long events = statistics.events();
        out.print(statistics.whole());
        out.printf(Locale.ROOT, "%d rows emitted by statements, %d events rejected%n", engine.rowsOut(),
            engine.rejectedRows());
        out.flush();
        boolean isWell = isDrained;
        for (final List<String> some : failures)
        {
            some.forEach(System.err::println);
            isWell &= some.isEmpty();
        }
        if (events != sent || engine.rejectedRows() != 0 || !isWell)
        {
            System.err.println("CMD-0177: the run is incomplete, sent=" + sent + " through=" + events + " rejected=" +
                engine.rejectedRows() + "\n    hint: lower -rate, or raise -seconds; if neither helps, it is an " +
                "internal error");
            return CommandSupport.FAILED;
        }
        return CommandSupport.DONE;
    }
}
