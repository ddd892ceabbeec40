package dev.millrace.command.instance;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Changes what a group has deployed, through one of the members; each answer has one entry a member. Safe for all
 * threads; fails like {@link ManagementClient}.
 */
public final class GroupClient
{
    private final ManagementRequests requests;
    private final String parameter;

    GroupClient(final ManagementRequests requests, final String group)
    {
        this.requests = requests;
        this.parameter = "?group=" + ManagementPaths.encoded(group);
    }

    /**
     * Deploys a bundle.
     *
     * @param bundle file
     * @return {@code done} and {@code members}
     * @throws IOException          when the file cannot be read
     * @throws InterruptedException when interrupted
     */
    public JsonObject install(final Path bundle) throws IOException, InterruptedException
    {
        return install(bundle, null);
    }

    /**
     * Deploys a bundle.
     *
     * @param bundle  file
     * @param seconds that the application may take to start; {@code null} for what members take
     * @return {@code done} and {@code members}
     * @throws IOException          when the file cannot be read
     * @throws InterruptedException when interrupted
     */
    public JsonObject install(final Path bundle, final Integer seconds) throws IOException, InterruptedException
    {
        return requests.starting(seconds).postNamed("/apps" + parameter + timeout(seconds), bundle).getAsJsonObject();
    }

    private static String timeout(final Integer seconds)
    {
        return seconds == null ? "" : "&timeout=" + seconds;
    }

    /**
     * Replaces an application.
     *
     * @param name    symbolic name
     * @param bundle  file
     * @param seconds that the new version may take to start; {@code null} for what counts without it
     * @return {@code done} and {@code members}
     * @throws IOException          when the file cannot be read
     * @throws InterruptedException when interrupted
     */
    public JsonObject update(final String name, final Path bundle, final Integer seconds)
        throws IOException, InterruptedException
    {
        return requests.starting(seconds)
            .putNamed(ManagementPaths.application(name, parameter + timeout(seconds)), bundle).getAsJsonObject();
    }

    /**
     * Suspends or resumes an application.
     *
     * @param name symbolic name
     * @param verb {@code suspend} or {@code resume}
     * @return {@code done} and {@code members}
     * @throws InterruptedException when interrupted
     */
    public JsonObject change(final String name, final String verb) throws InterruptedException
    {
        return requests.post(ManagementPaths.application(name, "/" + verb + parameter)).getAsJsonObject();
    }

    /**
     * Takes an application away.
     *
     * @param name symbolic name
     * @return {@code done} and {@code members}
     * @throws InterruptedException when interrupted
     */
    public JsonObject uninstall(final String name) throws InterruptedException
    {
        return requests.delete(ManagementPaths.application(name, parameter)).getAsJsonObject();
    }

    /**
     * Replaces a configuration file.
     *
     * @param name symbolic name
     * @param file component configuration file
     * @return {@code done} and {@code members}
     * @throws IOException          when the file cannot be read
     * @throws InterruptedException when interrupted
     */
    public JsonObject configure(final String name, final Path file) throws IOException, InterruptedException
    {
        return requests.putFile(ManagementPaths.configuration(name, file) + parameter, file).getAsJsonObject();
    }

    /**
     * Lets a configuration file of the bundle count again.
     *
     * @param name     symbolic name
     * @param fileName of it
     * @return {@code done} and {@code members}
     * @throws InterruptedException when interrupted
     */
    public JsonObject unconfigure(final String name, final String fileName) throws InterruptedException
    {
        return requests.delete(ManagementPaths.configuration(name, fileName) + parameter).getAsJsonObject();
    }

    /**
     * The versions that the group had.
     *
     * @param name symbolic name
     * @return {@code versions}, the present one last
     * @throws InterruptedException when interrupted
     */
    public JsonObject history(final String name) throws InterruptedException
    {
        return requests.get(ManagementPaths.application(name, "/versions" + parameter)).getAsJsonObject();
    }

    /**
     * Makes a new version of an old one.
     *
     * @param name    symbolic name
     * @param version number of the old one
     * @return {@code done} and {@code members}
     * @throws InterruptedException when interrupted
     */
    public JsonObject rollBack(final String name, final long version) throws InterruptedException
    {
        return requests.post(ManagementPaths.application(name, "/rollback" + parameter + "&to=" + version))
            .getAsJsonObject();
    }

    /**
     * How far the members are with the last change.
     *
     * @param name symbolic name
     * @return {@code members}
     * @throws InterruptedException when interrupted
     */
    public JsonObject progress(final String name) throws InterruptedException
    {
        return requests.get(ManagementPaths.application(name, "/progress")).getAsJsonObject();
    }

    /**
     * The rules of a processor on all members.
     *
     * @param application symbolic name
     * @param processor   id
     * @return what can be changed
     */
    public RulesClient rules(final String application, final String processor)
    {
        return new RulesClient(requests, ManagementPaths.processor(application, processor), parameter);
    }
}
