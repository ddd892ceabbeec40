package dev.millrace.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.millrace.server.fixture.Apps;
import dev.millrace.server.fixture.BundleJar;
import dev.millrace.server.fixture.TestInstance;
import dev.millrace.server.fixture.app.NumberFeed;
import dev.millrace.server.fixture.app.Sequence;
import java.nio.file.Path;

/** An instance with two connected applications, of which one sends numbers to the bean {@code every} of the other. */
final class TwoApplications
{
    static final String MARKET = "market.app";
    static final String WATCH = "watch.app";
    static final String TYPE = """
          <wlevs:event-type-repository><wlevs:event-type type-name="Number"><wlevs:properties type="map">
            <wlevs:property name="number" type="bigint"/><wlevs:property name="name" type="char"/>
          </wlevs:properties></wlevs:event-type></wlevs:event-type-repository>
        """;
    /** A change that needs a new application context. */
    static final String ONE_MORE = "<bean id='list' class='java.util.ArrayList'/>";

    private final Path directory;
    private TestInstance instance;

    TwoApplications(final Path directory) throws Exception
    {
        this.directory = directory;
        instance = TestInstance.start(TestInstance.newDomain(directory), TestInstance.FELIX);
    }

    void restart() throws Exception
    {
        instance.close();
        instance = TestInstance.start(directory, TestInstance.FELIX);
    }

    private static BundleJar bundle(final String name, final String content)
    {
        return Apps.context(name, content).classes(NumberFeed.class, Sequence.class)
            .header("Import-Package", "dev.millrace.api.lifecycle,dev.millrace.api.stage;version=\"[1.0,2)\"");
    }

    private static String text(final TestInstance.Answer answer, final int status)
    {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        return answer.text();
    }

    void install(final String name, final String content) throws Exception
    {
        text(instance.deploy(bundle(name, content)), 201);
    }

    /** Tries to install an application; returns the problems. */
    String refuse(final String name, final String content) throws Exception
    {
        return text(instance.deploy(bundle(name, content)), 422);
    }

    /** Returns the report of the update. */
    String update(final String name, final String version, final String content) throws Exception
    {
        return update(name, version, content, 200);
    }

    String update(final String name, final String version, final String content, final int status) throws Exception
    {
        return text(instance.request("PUT", "/wlevs/apps/" + name, bundle(name, content).version(version).bytes()),
            status);
    }

    String call(final String method, final String path) throws Exception
    {
        return text(instance.request(method, "/wlevs/apps/" + path, new byte[0]), 200);
    }

    /** The state of an application with its causes. */
    String describe(final String name) throws Exception
    {
        return instance.request("GET", "/wlevs/apps/" + name, new byte[0]).text();
    }

    /** The statistics of a stage. */
    JsonObject stage(final String application, final String id)
    {
        try
        {
            final JsonElement statistics =
                instance.request("GET", "/wlevs/apps/" + application + "/statistics", new byte[0]).body();
            for (final JsonElement stage : statistics.getAsJsonObject().getAsJsonArray("stages"))
            {
                if (stage.getAsJsonObject().get("id").getAsString().equals(id))
                {
                    return stage.getAsJsonObject();
                }
            }
            throw new AssertionError("no stage " + id + " in " + statistics);
        }
        catch (final Exception e)
        {
            throw new IllegalStateException("endpoint does not answer", e);
        }
    }

    /** A figure of the bean that receives the numbers. */
    long figure(final String name)
    {
        return stage(WATCH, "every").getAsJsonObject("own").get(name).getAsLong();
    }

    String state(final String name)
    {
        return instance.state(name);
    }

    void awaitState(final String name, final String state) throws Exception
    {
        instance.await(name + " is " + state, () -> instance.state(name).equals(state));
    }

    void awaitMore() throws Exception
    {
        final long before = figure("events");
        instance.await("more rows cross", () -> figure("events") > before + 2);
    }

    /** Waits until a stage has rejected more rows than now. */
    void awaitRejected(final String application, final String id) throws Exception
    {
        final long before = stage(application, id).get("rowsRejected").getAsLong();
        instance.await("rows are counted", () -> stage(application, id).get("rowsRejected").getAsLong() > before + 2);
    }

    void close() throws Exception
    {
        instance.close();
    }
}
