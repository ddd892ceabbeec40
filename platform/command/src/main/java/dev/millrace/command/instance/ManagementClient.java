package dev.millrace.command.instance;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.millrace.command.CommandException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Asks the management endpoint of an instance. Safe for all threads. Failures come as {@link CommandException} with
 * the message of the server.
 */
public final class ManagementClient
{
    private final ManagementRequests requests;

    /**
     * Makes a client.
     *
     * @param url           address, for example {@code http://127.0.0.1:9002}
     * @param authorization value of the header; empty for none
     */
    public ManagementClient(final String url, final String authorization)
    {
        this(new ManagementRequests(url, authorization));
    }

    private ManagementClient(final ManagementRequests requests)
    {
        this.requests = requests;
    }

    /**
     * The same over the same connection with less patience, for a look at an instance that may hang.
     *
     * @param timeout for an answer
     * @return another client
     */
    public ManagementClient within(final Duration timeout)
    {
        return new ManagementClient(requests.within(timeout));
    }

    /**
     * The state of the instance.
     *
     * @return name, state, pid, ports
     * @throws InterruptedException when interrupted
     */
    public JsonObject server() throws InterruptedException
    {
        return requests.get("/server").getAsJsonObject();
    }

    /**
     * Asks the instance to stop; it answers before it does.
     *
     * @throws InterruptedException when interrupted
     */
    public void shutdown() throws InterruptedException
    {
        requests.post("/server/shutdown");
    }

    /**
     * The applications.
     *
     * @return one object each
     * @throws InterruptedException when interrupted
     */
    public JsonArray applications() throws InterruptedException
    {
        return requests.get("/apps").getAsJsonArray();
    }

    /**
     * One application.
     *
     * @param name symbolic name
     * @return its state
     * @throws InterruptedException when interrupted
     */
    public JsonObject application(final String name) throws InterruptedException
    {
        return requests.get(ManagementPaths.application(name, "")).getAsJsonObject();
    }

    /**
     * Deploys a bundle; returns when it runs.
     *
     * @param bundle file
     * @return state of the application
     * @throws IOException          when the file cannot be read
     * @throws InterruptedException when interrupted
     */
    public JsonObject install(final Path bundle) throws IOException, InterruptedException
    {
        return install(bundle, null);
    }

    /**
     * Deploys a bundle; returns when it runs.
     *
     * @param bundle  file
     * @param seconds that the application may take to start; {@code null} for what the instance takes
     * @return state of the application
     * @throws IOException          when the file cannot be read
     * @throws InterruptedException when interrupted
     */
    public JsonObject install(final Path bundle, final Integer seconds) throws IOException, InterruptedException
    {
        return requests.starting(seconds).postNamed("/apps" + timeout(seconds), bundle).getAsJsonObject();
    }

    private static String timeout(final Integer seconds)
    {
        return seconds == null ? "" : "?timeout=" + seconds;
    }

    /**
     * Replaces an application; returns when the new one runs.
     *
     * @param name   symbolic name
     * @param bundle file
     * @return state of the application
     * @throws IOException          when the file cannot be read
     * @throws InterruptedException when interrupted
     */
    public JsonObject update(final String name, final Path bundle) throws IOException, InterruptedException
    {
        return update(name, bundle, null);
    }

    /**
     * Replaces an application; returns when the new one runs.
     *
     * @param name    symbolic name
     * @param bundle  file
     * @param seconds that the new version may take to start; {@code null} for what the instance takes
     * @return state of the application
     * @throws IOException          when the file cannot be read
     * @throws InterruptedException when interrupted
     */
    public JsonObject update(final String name, final Path bundle, final Integer seconds)
        throws IOException, InterruptedException
    {
        return requests.starting(seconds).putNamed(ManagementPaths.application(name, timeout(seconds)), bundle)
            .getAsJsonObject();
    }

    /**
     * Takes an application away.
     *
     * @param name symbolic name
     * @throws InterruptedException when interrupted
     */
    public void uninstall(final String name) throws InterruptedException
    {
        requests.delete(ManagementPaths.application(name, ""));
    }

    /**
     * Suspends or resumes an application.
     *
     * @param name symbolic name
     * @param verb {@code suspend} or {@code resume}
     * @throws InterruptedException when interrupted
     */
    public void change(final String name, final String verb) throws InterruptedException
    {
        requests.post(ManagementPaths.application(name, "/" + verb));
    }

    /**
     * The same changes on all members of a group.
     *
     * @param name of the group
     * @return what can be done with it
     */
    public GroupClient group(final String name)
    {
        return new GroupClient(requests, name);
    }

    /**
     * Replaces a configuration file; the application is made anew.
     *
     * @param name symbolic name
     * @param file component configuration file
     * @return state of the application
     * @throws IOException          when the file cannot be read
     * @throws InterruptedException when interrupted
     */
    public JsonObject configure(final String name, final Path file) throws IOException, InterruptedException
    {
        return requests.putFile(ManagementPaths.configuration(name, file), file).getAsJsonObject();
    }

    /**
     * Lets a configuration file of the bundle count again; the application is made anew.
     *
     * @param name     symbolic name
     * @param fileName of it
     * @return state of the application
     * @throws InterruptedException when interrupted
     */
    public JsonObject unconfigure(final String name, final String fileName) throws InterruptedException
    {
        return requests.delete(ManagementPaths.configuration(name, fileName)).getAsJsonObject();
    }

    /**
     * The figures of an application.
     *
     * @param name symbolic name
     * @return statistics of its network
     * @throws InterruptedException when interrupted
     */
    public JsonObject statistics(final String name) throws InterruptedException
    {
        return requests.get(ManagementPaths.application(name, "/statistics")).getAsJsonObject();
    }

    /**
     * The rules of a processor.
     *
     * @param application symbolic name
     * @param processor   id
     * @return what can be done with them
     */
    public RulesClient rules(final String application, final String processor)
    {
        return new RulesClient(requests, ManagementPaths.processor(application, processor), "");
    }
}
