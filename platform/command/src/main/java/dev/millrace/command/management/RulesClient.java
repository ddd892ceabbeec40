package dev.millrace.command.management;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads and changes the rules of one processor, on an instance or on all members of a group. Thread-safe; failures are
 * reported like those of {@link ManagementClient}.
 */
public final class RulesClient
{
    private final ManagementRequests requests;
    private final String path;
    private final String parameter;

    RulesClient(final ManagementRequests requests, final String path, final String parameter)
    {
        this.requests = requests;
        this.path = path;
        this.parameter = parameter;
    }

    /** Returns an object with {@code rules}. */
    public JsonObject list() throws InterruptedException
    {
        return requests.get(path + "/rules").getAsJsonObject();
    }

    /**
     * Sends a PUT request for a rule.
     *
     * @param before path before the id
     * @param id     id of the rule
     * @param after  path after the id
     * @return the effect on the queries, or {@code done} and {@code members} of a group
     */
    public JsonObject put(final String before, final String id, final String after, final JsonObject body)
        throws InterruptedException
    {
        return requests.putJson(path + before + ManagementPaths.encoded(id) + after + parameter, body)
            .getAsJsonObject();
    }

    /**
     * Sends a POST request for a rule.
     *
     * @param before path before the id
     * @param id     id of the rule
     * @param after  path after the id
     * @return the effect on the queries, or {@code done} and {@code members} of a group
     */
    public JsonObject post(final String before, final String id, final String after) throws InterruptedException
    {
        return requests.post(path + before + ManagementPaths.encoded(id) + after + parameter).getAsJsonObject();
    }

    /**
     * Removes a rule.
     *
     * @param before path before the id
     * @param id     id of the rule
     * @return the effect on the queries, or {@code done} and {@code members} of a group
     */
    public JsonObject delete(final String before, final String id) throws InterruptedException
    {
        return requests.delete(path + before + ManagementPaths.encoded(id) + parameter).getAsJsonObject();
    }

    /**
     * Replaces all rules.
     *
     * @param file component configuration file
     * @return the effect on the queries, or {@code done} and {@code members} of a group
     * @throws IOException when the file cannot be read
     */
    public JsonObject upload(final Path file) throws IOException, InterruptedException
    {
        return requests.putNamed(path + "/rule-file" + parameter, file).getAsJsonObject();
    }

    /** Returns all rules as the content of a component configuration file. */
    public String download() throws InterruptedException
    {
        return requests.get(path + "/rule-file").getAsJsonObject().get("file").getAsString();
    }
}
