package dev.millrace.command.instance;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonSyntaxException;
import dev.millrace.command.CommandException;
import dev.millrace.command.ExitCode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.StringJoiner;

/**
 * Asks the management endpoint of an instance. Safe for all threads. Failures come as {@link CommandException} with
 * the message of the server.
 */
public final class ManagementClient
{
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(90);
    private static final int OK_LIMIT = 300;
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;

    private final String url;
    private final String authorization;
    private final Duration answerTimeout;
    private final HttpClient http;

    /**
     * Makes a client.
     *
     * @param url           address, for example {@code http://127.0.0.1:9002}
     * @param authorization value of the header; empty for none
     */
    public ManagementClient(final String url, final String authorization)
    {
        this(url, authorization, ANSWER_TIMEOUT, HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build());
    }

    private ManagementClient(
        final String url, final String authorization, final Duration answerTimeout, final HttpClient http)
    {
        this.url = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        this.authorization = authorization;
        this.answerTimeout = answerTimeout;
        this.http = http;
    }

    /**
     * The same over the same connection with less patience, for a look at an instance that may hang.
     *
     * @param timeout for an answer
     * @return another client
     */
    public ManagementClient within(final Duration timeout)
    {
        return new ManagementClient(url, authorization, timeout, http);
    }

    /**
     * The state of the instance.
     *
     * @return name, state, pid, ports
     * @throws InterruptedException when interrupted
     */
    public JsonObject server() throws InterruptedException
    {
        return send("GET", "/server", BodyPublishers.noBody(), "").getAsJsonObject();
    }

    /**
     * Asks the instance to stop; it answers before it does.
     *
     * @throws InterruptedException when interrupted
     */
    public void shutdown() throws InterruptedException
    {
        send("POST", "/server/shutdown", BodyPublishers.noBody(), "");
    }

    /**
     * The applications.
     *
     * @return one object each
     * @throws InterruptedException when interrupted
     */
    public JsonArray applications() throws InterruptedException
    {
        return send("GET", "/apps", BodyPublishers.noBody(), "").getAsJsonArray();
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
        return send("GET", application(name, ""), BodyPublishers.noBody(), "").getAsJsonObject();
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
        return send("POST", "/apps", BodyPublishers.ofFile(bundle), fileName(bundle)).getAsJsonObject();
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
        return send("PUT", application(name, ""), BodyPublishers.ofFile(bundle), fileName(bundle)).getAsJsonObject();
    }

    /**
     * Takes an application away.
     *
     * @param name symbolic name
     * @throws InterruptedException when interrupted
     */
    public void uninstall(final String name) throws InterruptedException
    {
        send("DELETE", application(name, ""), BodyPublishers.noBody(), "");
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
        send("POST", application(name, "/" + verb), BodyPublishers.noBody(), "");
    }

    /**
     * The same changes on all members of a group.
     *
     * @param name of the group
     * @return what can be done with it
     */
    public Group group(final String name)
    {
        return new Group("?group=" + encoded(name));
    }

    /** Changes what a group has deployed; each answer has one entry a member. */
    public final class Group
    {
        private final String parameter;

        private Group(final String parameter)
        {
            this.parameter = parameter;
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
            return send("POST", "/apps" + parameter, BodyPublishers.ofFile(bundle), fileName(bundle))
                .getAsJsonObject();
        }

        /**
         * Replaces an application.
         *
         * @param name   symbolic name
         * @param bundle file
         * @return {@code done} and {@code members}
         * @throws IOException          when the file cannot be read
         * @throws InterruptedException when interrupted
         */
        public JsonObject update(final String name, final Path bundle) throws IOException, InterruptedException
        {
            return send("PUT", application(name, parameter), BodyPublishers.ofFile(bundle), fileName(bundle))
                .getAsJsonObject();
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
            return send("POST", application(name, "/" + verb + parameter), BodyPublishers.noBody(), "")
                .getAsJsonObject();
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
            return send("DELETE", application(name, parameter), BodyPublishers.noBody(), "").getAsJsonObject();
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
            return send("PUT", configuration(name, fileName(file)) + parameter, BodyPublishers.ofFile(file), "")
                .getAsJsonObject();
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
            return send("DELETE", configuration(name, fileName) + parameter, BodyPublishers.noBody(), "")
                .getAsJsonObject();
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
            return send("GET", application(name, "/versions" + parameter), BodyPublishers.noBody(), "")
                .getAsJsonObject();
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
            return send("POST", application(name, "/rollback" + parameter + "&to=" + version),
                BodyPublishers.noBody(), "").getAsJsonObject();
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
            return send("GET", application(name, "/progress"), BodyPublishers.noBody(), "").getAsJsonObject();
        }

        /**
         * The rules of a processor on all members.
         *
         * @param application symbolic name
         * @param processor   id
         * @return what can be changed
         */
        public Rules rules(final String application, final String processor)
        {
            return new Rules(rulePath(application, processor), parameter);
        }
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
        return send("PUT", configuration(name, fileName(file)), BodyPublishers.ofFile(file), "").getAsJsonObject();
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
        return send("DELETE", configuration(name, fileName), BodyPublishers.noBody(), "").getAsJsonObject();
    }

    private static String configuration(final String name, final String fileName)
    {
        return application(name, "/configuration/" + encoded(fileName));
    }

    private static String rulePath(final String application, final String processor)
    {
        return application(application, "/processors/" + encoded(processor));
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
        return send("GET", application(name, "/statistics"), BodyPublishers.noBody(), "").getAsJsonObject();
    }

    /**
     * The rules of a processor.
     *
     * @param application symbolic name
     * @param processor   id
     * @return what can be done with them
     */
    public Rules rules(final String application, final String processor)
    {
        return new Rules(rulePath(application, processor), "");
    }

    /** Asks about the rules of one processor and changes them. */
    public final class Rules
    {
        private final String path;
        private final String parameter;

        private Rules(final String path, final String parameter)
        {
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
            return send("GET", path + "/rules", BodyPublishers.noBody(), "").getAsJsonObject();
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
            return send("PUT", path + before + encoded(id) + after + parameter,
                BodyPublishers.ofString(body.toString()), "").getAsJsonObject();
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
            return send("POST", path + before + encoded(id) + after + parameter, BodyPublishers.noBody(), "")
                .getAsJsonObject();
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
            return send("DELETE", path + before + encoded(id) + parameter, BodyPublishers.noBody(), "")
                .getAsJsonObject();
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
            return send("PUT", path + "/rule-file" + parameter, BodyPublishers.ofFile(file), fileName(file))
                .getAsJsonObject();
        }

        /**
         * All rules as a component configuration file.
         *
         * @return its text
         * @throws InterruptedException when interrupted
         */
        public String download() throws InterruptedException
        {
            return send("GET", path + "/rule-file", BodyPublishers.noBody(), "").getAsJsonObject().get("file")
                .getAsString();
        }
    }

    private static String encoded(final String part)
    {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String application(final String name, final String rest)
    {
        return "/apps/" + URLEncoder.encode(name, StandardCharsets.UTF_8) + rest;
    }

    private static String fileName(final Path bundle)
    {
        return String.valueOf(bundle.getFileName()).replaceAll("[^\\x21-\\x7e]", "_");
    }

    private JsonElement send(final String method, final String path, final BodyPublisher body, final String fileName)
        throws InterruptedException
    {
        final HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + "/wlevs" + path))
            .timeout(answerTimeout).method(method, body);
        if (!authorization.isEmpty())
        {
            request.header("Authorization", authorization);
        }
        if (!fileName.isEmpty())
        {
            request.header("Content-Type", "application/java-archive").header("X-File-Name", fileName);
        }
        final HttpResponse<String> response;
        try
        {
            response = http.send(request.build(), BodyHandlers.ofString());
        }
        catch (final IOException e)
        {
            throw new CommandException(
                ExitCode.NOT_FOUND, "CMD-0120", "no answer from the instance, url=" + url + " reason=" + e,
                "start it with startwlevs.sh, or name another with --domain DIR or --url URL");
        }
        final JsonElement answer = parse(response.body());
        if (response.statusCode() >= OK_LIMIT)
        {
            throw failure(response.statusCode(), path, answer);
        }
        return answer;
    }

    private JsonElement parse(final String body)
    {
        try
        {
            return body.isBlank() ? JsonNull.INSTANCE : JsonParser.parseString(body);
        }
        catch (final JsonSyntaxException e)
        {
            throw new CommandException(
                ExitCode.NOT_FOUND, "CMD-0121", "answer is not JSON, url=" + url,
                "another program may listen on this port; check the netio port in config/config.xml");
        }
    }

    private CommandException failure(final int status, final String path, final JsonElement answer)
    {
        final int exitCode = status == NOT_FOUND ? ExitCode.NOT_FOUND : ExitCode.FAILED;
        final StringJoiner lines = new StringJoiner("\n");
        if (answer.isJsonObject() && answer.getAsJsonObject().has("problems"))
        {
            answer.getAsJsonObject().getAsJsonArray("problems")
                .forEach(problem -> lines.add(Problems.format(problem.getAsJsonObject())));
        }
        if (lines.length() > 0)
        {
            return new CommandException(exitCode, lines.toString());
        }
        if (status == UNAUTHORIZED)
        {
            return new CommandException(
                exitCode, "CMD-0122", "not authorised, url=" + url,
                "run as the user that started the instance, or give --user NAME --password PASSWORD");
        }
        return new CommandException(
            exitCode, "CMD-0123", "refused by the instance, url=" + url + " path=" + path + " status=" + status +
            " answer=" + answer, "");
    }
}
