package dev.millrace.command.management;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.millrace.command.cli.CommandException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLContext;

/**
 * Client of the management endpoint of an instance. Thread-safe. Failures throw {@link CommandException} with the
 * message of the server.
 */
public final class ManagementClient
{
    private final ManagementRequests requests;

    /**
     * @param url           address, for example {@code http://127.0.0.1:9002}
     * @param authorization value of the header; empty for none
     */
    public ManagementClient(final String url, final String authorization)
    {
        this(url, authorization, null);
    }

    /**
     * @param url           address, for example {@code https://cep.example.org:9003}
     * @param authorization value of the header; empty for none
     * @param trust         of https addresses; {@code null} for the certificates that Java trusts
     */
    public ManagementClient(final String url, final String authorization, final SSLContext trust)
    {
        this(new ManagementRequests(url, authorization, trust));
    }

    private ManagementClient(final ManagementRequests requests)
    {
        this.requests = requests;
    }

    /**
     * Returns a client on the same connection with another timeout, for an instance that may hang.
     *
     * @param timeout limit for a response
     */
    public ManagementClient within(final Duration timeout)
    {
        return new ManagementClient(requests.within(timeout));
    }

    /** Returns the state of the instance: name, state, pid, ports. */
    public JsonObject server() throws InterruptedException
    {
        return requests.get("/server").getAsJsonObject();
    }

    /** Requests the stop of the instance; the instance responds before it stops. */
    public void shutdown() throws InterruptedException
    {
        requests.post("/server/shutdown");
    }

    /** Returns one object per application. */
    public JsonArray applications() throws InterruptedException
    {
        return requests.get("/apps").getAsJsonArray();
    }

    /**
     * Returns the state of an application.
     *
     * @param name symbolic name
     */
    public JsonObject application(final String name) throws InterruptedException
    {
        return requests.get(ManagementPaths.application(name, "")).getAsJsonObject();
    }

    /**
     * Deploys a bundle; returns when the application runs.
     *
     * @return state of the application
     * @throws IOException when the file cannot be read
     */
    public JsonObject install(final Path bundle) throws IOException, InterruptedException
    {
        return install(bundle, null);
    }

    /**
     * Deploys a bundle; returns when the application runs.
     *
     * @param seconds limit for its start; {@code null} for the instance's default
     * @return state of the application
     * @throws IOException when the file cannot be read
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
     * Replaces an application; returns when the new version runs.
     *
     * @param name    symbolic name
     * @param seconds limit for the start of the new version; {@code null} for the previous limit
     * @return state of the application
     * @throws IOException when the file cannot be read
     */
    public JsonObject update(final String name, final Path bundle, final Integer seconds)
        throws IOException, InterruptedException
    {
        return requests.starting(seconds).putNamed(ManagementPaths.application(name, timeout(seconds)), bundle)
            .getAsJsonObject();
    }

    /**
     * Uninstalls an application.
     *
     * @param name symbolic name
     */
    public void uninstall(final String name) throws InterruptedException
    {
        requests.delete(ManagementPaths.application(name, ""));
    }

    /**
     * Suspends, resumes or restarts an application.
     *
     * @param name symbolic name
     * @param verb {@code suspend}, {@code resume} or {@code restart}
     */
    public void change(final String name, final String verb) throws InterruptedException
    {
        requests.post(ManagementPaths.application(name, "/" + verb));
    }

    /** Returns a client that makes the same changes on all members of a group. */
    public GroupClient group(final String name)
    {
        return new GroupClient(requests, name);
    }

    /**
     * Replaces a configuration file, which creates the application again.
     *
     * @param name symbolic name
     * @param file component configuration file
     * @return state of the application
     * @throws IOException when the file cannot be read
     */
    public JsonObject configure(final String name, final Path file) throws IOException, InterruptedException
    {
        return requests.putFile(ManagementPaths.configuration(name, file), file).getAsJsonObject();
    }

    /**
     * Restores a configuration file of the bundle, which creates the application again.
     *
     * @param name symbolic name
     * @return state of the application
     */
    public JsonObject unconfigure(final String name, final String fileName) throws InterruptedException
    {
        return requests.delete(ManagementPaths.configuration(name, fileName)).getAsJsonObject();
    }

    /**
     * Returns the statistics of an application's network.
     *
     * @param name symbolic name
     */
    public JsonObject statistics(final String name) throws InterruptedException
    {
        return requests.get(ManagementPaths.application(name, "/statistics")).getAsJsonObject();
    }

    /**
     * Returns a client for the rules of a processor.
     *
     * @param application symbolic name
     * @param processor   id
     */
    public RulesClient rules(final String application, final String processor)
    {
        return new RulesClient(requests, ManagementPaths.processor(application, processor), "");
    }

    /** Returns a client for recordings, playbacks and datasets. */
    public RecordingsClient recordings()
    {
        return new RecordingsClient(requests);
    }
}
