package dev.millrace.command.instance;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Asks about the rules of one processor and changes them, on an instance or on all members of a group. Safe for all
 * threads; fails like {@link ManagementClient}.
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

    /**
     * All rules.
     *
     * @return an object with {@code rules}
     * @throws InterruptedException when interrupted
     */
    public JsonObject list() throws InterruptedException
    {
        return requests.get(path + "/rules").getAsJsonObject();
    }

    /**
     * Puts something about a rule.
     *
     * @param before path in front of the id
     * @param id     of the rule
     * @param after  path behind the id
     * @param body   what
     * @return what became of the queries, or {@code done} and {@code members} of a group
     * @throws InterruptedException when interrupted
     */
    public JsonObject put(final String before, final String id, final String after, final JsonObject body)
        throws InterruptedException
    {
        return requests.putJson(path + before + ManagementPaths.encoded(id) + after + parameter, body)
            .getAsJsonObject();
    }

    /**
     * Asks for something to be done with a rule.
     *
     * @param before path in front of the id
     * @param id     of the rule
     * @param after  path behind the id
     * @return what became of the queries, or {@code done} and {@code members} of a group
     * @throws InterruptedException when interrupted
     */
    public JsonObject post(final String before, final String id, final String after) throws InterruptedException
    {
        return requests.post(path + before + ManagementPaths.encoded(id) + after + parameter).getAsJsonObject();
    }

    /**
     * Removes a rule.
     *
     * @param before path in front of the id
     * @param id     of the rule
     * @return what became of the queries, or {@code done} and {@code members} of a group
     * @throws InterruptedException when interrupted
     */
    public JsonObject delete(final String before, final String id) throws InterruptedException
    {
        return requests.delete(path + before + ManagementPaths.encoded(id) + parameter).getAsJsonObject();
    }

    /**
     * Replaces all rules.
     *
     * @param file component configuration file
     * @return what became of the queries, or {@code done} and {@code members} of a group
     * @throws IOException          when the file cannot be read
     * @throws InterruptedException when interrupted
     */
    public JsonObject upload(final Path file) throws IOException, InterruptedException
    {
        return requests.putNamed(path + "/rule-file" + parameter, file).getAsJsonObject();
    }

    /**
     * All rules as a component configuration file.
     *
     * @return its text
     * @throws InterruptedException when interrupted
     */
    public String download() throws InterruptedException
    {
        return requests.get(path + "/rule-file").getAsJsonObject().get("file").getAsString();
    }
}
