package dev.millrace.command.management;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Changes the deployments of a cluster group through one of its members. Each response has one entry per member.
 * Thread-safe; failures are reported like those of {@link ManagementClient}.
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
     * @return {@code done} and {@code members}
     * @throws IOException when the file cannot be read
     */
    public JsonObject install(final Path bundle) throws IOException, InterruptedException
    {
        return install(bundle, null);
    }

    /**
     * Deploys a bundle.
     *
     * @param seconds limit for its start; {@code null} for the members' default
     * @return {@code done} and {@code members}
     * @throws IOException when the file cannot be read
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
     * @param seconds limit for the start of the new version; {@code null} for the previous limit
     * @return {@code done} and {@code members}
     * @throws IOException when the file cannot be read
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
     */
    public JsonObject change(final String name, final String verb) throws InterruptedException
    {
        return requests.post(ManagementPaths.application(name, "/" + verb + parameter)).getAsJsonObject();
    }

    /**
     * Uninstalls an application.
     *
     * @param name symbolic name
     * @return {@code done} and {@code members}
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
     * @throws IOException when the file cannot be read
     */
    public JsonObject configure(final String name, final Path file) throws IOException, InterruptedException
    {
        return requests.putFile(ManagementPaths.configuration(name, file) + parameter, file).getAsJsonObject();
    }

    /**
     * Restores a configuration file of the bundle.
     *
     * @param name symbolic name
     * @return {@code done} and {@code members}
     */
    public JsonObject unconfigure(final String name, final String fileName) throws InterruptedException
    {
        return requests.delete(ManagementPaths.configuration(name, fileName) + parameter).getAsJsonObject();
    }

    /**
     * Returns the versions of an application of the group.
     *
     * @param name symbolic name
     * @return {@code versions}, the current one last
     */
    public JsonObject history(final String name) throws InterruptedException
    {
        return requests.get(ManagementPaths.application(name, "/versions" + parameter)).getAsJsonObject();
    }

    /**
     * Creates a new version from an old one.
     *
     * @param name    symbolic name
     * @param version number of the old version
     * @return {@code done} and {@code members}
     */
    public JsonObject rollBack(final String name, final long version) throws InterruptedException
    {
        return requests.post(ManagementPaths.application(name, "/rollback" + parameter + "&to=" + version))
            .getAsJsonObject();
    }

    /**
     * Returns the progress of the members with the last change.
     *
     * @param name symbolic name
     */
    public JsonObject progress(final String name) throws InterruptedException
    {
        return requests.get(ManagementPaths.application(name, "/progress")).getAsJsonObject();
    }

    /**
     * Returns a client for the rules of a processor on all members.
     *
     * @param application symbolic name
     * @param processor   id
     */
    public RulesClient rules(final String application, final String processor)
    {
        return new RulesClient(requests, ManagementPaths.processor(application, processor), parameter);
    }
}
