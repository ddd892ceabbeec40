package dev.millrace.test;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.AdapterFactory;
import dev.millrace.api.time.ManualClock;
import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.embedded.application.ApplicationBuilder;
import dev.millrace.embedded.application.EmbeddedApplication;
import dev.millrace.embedded.application.RowFeed;
import dev.millrace.network.condition.Condition;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.test.RowAlignment.Pair;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.AssertionFailedError;

/**
 * An application that runs in the process of its tests, at virtual time; a new one for each test.
 *
 * <pre>{@code
 * @RegisterExtension
 * final ApplicationUnderTest app = ApplicationUnderTest.of("META-INF/spring/orders.context.xml");
 *
 * @Test
 * void shouldReportBigOrders()
 * {
 *     app.send("orders", row("id", 1, "price", 2.5), row("id", 2, "price", 250.0));
 *     app.expect("bigOrders", row("id", 2));
 * }
 * }</pre>
 *
 * <p>Beans, event beans and adapters that name a class run; the test replaces adapters of providers: it sends their
 * rows, and reads what they receive. The clock starts at 0 and advances only by {@link #advance}. A test fails if a
 * stage rejects rows that {@link #expectRejected} does not announce.
 *
 * <p>Threads: confined to the thread of the test. {@code send} returns when all stages have processed the rows.
 */
public final class ApplicationUnderTest implements BeforeEachCallback, AfterEachCallback
{
    private final List<String> assembly;
    private final List<Consumer<ApplicationBuilder>> settings = new ArrayList<>();
    private List<String> configuration = List.of();
    private long startNs;
    private RowRecorder recorder;
    private RejectedRows rejected;
    private EmbeddedApplication running;

    private ApplicationUnderTest(final List<String> assembly)
    {
        this.assembly = assembly;
    }

    /**
     * Describes an application.
     *
     * @param assembly assembly files, resources of the class path; without one, all of the project
     * @return extension for a field with {@code @RegisterExtension}
     */
    public static ApplicationUnderTest of(final String... assembly)
    {
        return new ApplicationUnderTest(List.of(assembly));
    }

    /**
     * Sets the component configuration files; default: all of the project.
     *
     * @param files resources of the class path
     * @return this
     */
    public ApplicationUnderTest configuration(final String... files)
    {
        checkIsNotRunning();
        configuration = List.of(files);
        return this;
    }

    /**
     * Sets the value of a placeholder.
     *
     * @return this
     */
    public ApplicationUnderTest property(final String name, final String value)
    {
        return setting(builder -> builder.property(name, value));
    }

    /**
     * Replaces a bean, event bean, adapter or service reference by an object, whose properties are not set.
     *
     * @param id     of the bean
     * @param object supplies it before each test
     * @return this
     */
    public ApplicationUnderTest bean(final String id, final Supplier<?> object)
    {
        return setting(builder -> builder.bean(id, object));
    }

    /**
     * Replaces a bean or adapter that names a class, as adapters of providers are replaced: the test sends and receives
     * instead of it.
     *
     * @param id of the stage
     * @return this
     */
    public ApplicationUnderTest replace(final String id)
    {
        return setting(builder -> builder.replace(id));
    }

    /**
     * Allows the test to send to a channel that other stages of the application also send to, or instead of an adapter
     * or bean that names a class.
     *
     * @param id of the channel, adapter or bean
     * @return this
     */
    public ApplicationUnderTest input(final String id)
    {
        return setting(builder -> builder.input(id));
    }

    /**
     * Lets the adapters of a provider run.
     *
     * @param provider its name in the assembly files
     * @return this
     */
    public ApplicationUnderTest adapter(final String provider, final AdapterFactory factory)
    {
        return setting(builder -> builder.adapter(provider, factory));
    }

    /**
     * Adds a data source of the server.
     *
     * @return this
     */
    public ApplicationUnderTest dataSource(final String name, final DataSource source)
    {
        return setting(builder -> builder.dataSource(name, source));
    }

    /**
     * Declares an event type of another application, for channels with {@code event-type="application:type"}.
     *
     * @param application that declares the type
     * @param type        with its name in that application
     * @return this
     */
    public ApplicationUnderTest eventType(final String application, final EventType type)
    {
        return setting(builder -> builder.eventType(application, type));
    }

    /**
     * Sets the time at which each test starts; default: the epoch, so that times are durations since the start.
     *
     * @return this
     */
    public ApplicationUnderTest startingAt(final Instant time)
    {
        checkIsNotRunning();
        startNs = Times.epochNs(time);
        return this;
    }

    private ApplicationUnderTest setting(final Consumer<ApplicationBuilder> setting)
    {
        checkIsNotRunning();
        settings.add(setting);
        return this;
    }

    private void checkIsNotRunning()
    {
        if (running != null)
        {
            throw new IllegalStateException("the application runs; set this where the extension is created");
        }
    }

    /** Starts the application; called by JUnit. */
    @Override
    public void beforeEach(final ExtensionContext context) throws DeploymentException, IOException
    {
        start(context.getRequiredTestClass());
    }

    /** Stops the application, and fails a test whose rows were rejected; called by JUnit. */
    @Override
    public void afterEach(final ExtensionContext context)
    {
        stop(context.getExecutionException().isPresent());
    }

    void start(final Class<?> test) throws DeploymentException, IOException
    {
        final ClassPathFiles files = new ClassPathFiles(test.getClassLoader());
        final List<ConfigurationResource> assemblyFiles =
            assembly.isEmpty() ? files.in(ClassPathFiles.SPRING) : files.named(assembly);
        if (assemblyFiles.isEmpty())
        {
            throw new IllegalArgumentException("the project has no assembly file in " + ClassPathFiles.SPRING +
                " on the class path of the test");
        }
        final ApplicationBuilder builder = new ApplicationBuilder(test.getSimpleName(), assemblyFiles,
            configuration.isEmpty() ? files.in(ClassPathFiles.WLEVS) : files.named(configuration));
        recorder = new RowRecorder();
        rejected = new RejectedRows();
        builder.classes(test.getClassLoader()).clock(new ManualClock(startNs)).observer(stage -> true, recorder);
        settings.forEach(setting -> setting.accept(builder));
        running = builder.start();
    }

    void stop(final boolean hasTestFailed)
    {
        if (running == null)
        {
            return;
        }
        final String differences = rejected.differences(running.network());
        final String causes = running.network().conditions().stream().map(Condition::text)
            .collect(Collectors.joining("\n"));
        try
        {
            running.close();
        }
        finally
        {
            running = null;
        }
        if (!differences.isEmpty() && !hasTestFailed)
        {
            throw new AssertionFailedError(differences + (causes.isEmpty() ? "" : "\n" + causes) +
                "\n    hint: the log contains the rows; if they are intended, call expectRejected(stage, rows)");
        }
    }

    private EmbeddedApplication running()
    {
        if (running == null)
        {
            throw new IllegalStateException(
                "the application does not run; annotate the field with @RegisterExtension");
        }
        return running;
    }

    /**
     * Sends events instead of an adapter.
     *
     * @param id     of a replaced adapter, or of a channel that exactly one of them feeds
     * @param events {@link Row}, or beans, maps or tuples of the event type
     * @throws IllegalArgumentException if an event does not fit the event type, or rows cannot be sent there
     */
    public void send(final String id, final Object... events)
    {
        final RowFeed feed = running().feed(id);
        for (final Object event : events)
        {
            if (event instanceof Row row)
            {
                send(feed, row);
            }
            else
            {
                feed.insert(event);
            }
        }
    }

    private static void send(final RowFeed feed, final Row row)
    {
        final Object values = RowValues.of(row, feed.schema().type());
        switch (row.kind())
        {
            case EventBatch.DELETE -> feed.delete(values);
            case EventBatch.UPDATE -> feed.update(values);
            default -> feed.insert(values);
        }
    }

    /**
     * Promises that no later row of a channel with application time is older, so that its windows advance.
     *
     * @param id   as for {@link #send}
     * @param time of the channel, since the epoch
     */
    public void heartbeat(final String id, final Duration time)
    {
        running().feed(id).heartbeat(time.toNanos());
    }

    /**
     * Advances the clock, and with it the windows of channels that assign times. Channels with application time advance
     * by their rows and by {@link #heartbeat}.
     *
     * @param time at least 100 ms, the heartbeat interval of channels, for an effect on windows
     */
    public void advance(final Duration time)
    {
        running().advance(time);
    }

    /**
     * Expects the rows that a stage has received since the preceding expectation: these, in this order, and no others.
     *
     * @param id   of a channel or of a replaced adapter
     * @param rows {@link Row}, whose properties are compared, or beans, maps or tuples of the event type
     * @throws AssertionFailedError with a table of expected and received rows
     */
    public void expect(final String id, final Object... rows)
    {
        expect(id, rows, RowAlignment::inOrder);
    }

    /**
     * Expects the rows that a stage has received since the preceding expectation, in any order.
     *
     * @param id   of a channel or of a replaced adapter
     * @param rows as for {@link #expect}
     * @throws AssertionFailedError with a table of expected and received rows
     */
    public void expectInAnyOrder(final String id, final Object... rows)
    {
        expect(id, rows, RowAlignment::inAnyOrder);
    }

    /**
     * Expects that a stage has received no row since the preceding expectation.
     *
     * @param id of a channel or of a replaced adapter
     * @throws AssertionFailedError with a table of the received rows
     */
    public void expectNone(final String id)
    {
        expect(id);
    }

    private void expect(final String id, final Object[] rows,
        final BiFunction<List<RowExpectation>, List<ReceivedRow>, List<Pair>> alignment)
    {
        final EventType type = typeOf(id);
        final List<RowExpectation> expected = RowExpectation.all(type, rows, startNs);
        final List<Pair> pairs = alignment.apply(expected, recorder.take(id));
        if (!pairs.stream().allMatch(Pair::isMatch))
        {
            final long received = pairs.stream().filter(pair -> pair.received() != null).count();
            throw new AssertionFailedError(id + ": " + expected.size() + " rows expected, " + received +
                " received\n" + RowTable.format(type, pairs));
        }
    }

    private EventType typeOf(final String id)
    {
        final Set<String> outputs = running().outputs();
        if (!outputs.contains(id))
        {
            throw new IllegalArgumentException("no rows can be expected there, id=" + id + "; outputs are " + outputs);
        }
        return running().eventType(id);
    }

    /**
     * Returns the rows that a stage has received since the preceding expectation, for assertions of other libraries.
     * They remain until they are expected.
     *
     * @param id of a channel or of a replaced adapter
     * @return a copy
     */
    public List<ReceivedRow> rows(final String id)
    {
        typeOf(id);
        return recorder.pending(id);
    }

    /**
     * Waits for rows, where a bean of the application sends on its own thread.
     *
     * @param id    of a channel or of a replaced adapter
     * @param count how many rows since the preceding expectation
     * @param limit of real time
     * @throws AssertionFailedError if there are fewer rows after that time
     */
    public void await(final String id, final int count, final Duration limit)
    {
        typeOf(id);
        try
        {
            if (!recorder.await(id, count, limit))
            {
                throw new AssertionFailedError(id + ": " + count + " rows expected within " + limit + ", " +
                    recorder.pending(id).size() + " received");
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new AssertionFailedError(id + ": interrupted while waiting for rows", e);
        }
    }

    /**
     * Expects that a stage has rejected rows, and announces them to the check at the end of the test.
     *
     * @param id   of the stage, which has rejected them already
     * @param rows since the start of the test or the preceding call for this stage
     * @throws AssertionFailedError if it has rejected another number
     */
    public void expectRejected(final String id, final long rows)
    {
        if (!rejected.expect(running().network(), id, rows))
        {
            throw new AssertionFailedError(id + ": " + rows + " rejected rows expected, it has rejected " +
                RejectedRows.of(running().network(), id) + " since the start of the test");
        }
    }

    /**
     * Returns a bean of the application.
     *
     * @param type class or interface of the bean
     */
    public <T> T bean(final String id, final Class<T> type)
    {
        return running().bean(id, Objects.requireNonNull(type, "type"));
    }

    /**
     * Returns a cache of the application, to fill or to check it.
     *
     * @throws IllegalArgumentException if there is no such cache
     */
    public Cache cache(final String id)
    {
        return running().cache(id);
    }

    /**
     * Returns the running application, for its statistics, rules and feeds.
     *
     * @return stopped at the end of the test
     */
    public EmbeddedApplication application()
    {
        return running();
    }
}
