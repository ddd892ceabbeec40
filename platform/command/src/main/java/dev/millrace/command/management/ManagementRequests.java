package dev.millrace.command.management;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonSyntaxException;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.StringJoiner;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;

/**
 * Sends requests to the management endpoint of an instance and parses its responses. Thread-safe. Rejections and
 * missing responses throw {@link CommandException}.
 */
final class ManagementRequests
{
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(90);
    private static final int OK_LIMIT = 300;
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;

    private final String url;
    private final String authorization;
    private final Duration answerTimeout;
    private final HttpClient http;

    /** @param trust of https addresses; {@code null} for the certificates that Java trusts */
    ManagementRequests(final String url, final String authorization, final SSLContext trust)
    {
        this(url.endsWith("/") ? url.substring(0, url.length() - 1) : url, authorization, ANSWER_TIMEOUT,
            client(trust));
    }

    private static HttpClient client(final SSLContext trust)
    {
        final HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT);
        return (trust == null ? client : client.sslContext(trust)).build();
    }

    private ManagementRequests(
        final String url, final String authorization, final Duration answerTimeout, final HttpClient http)
    {
        this.url = url;
        this.authorization = authorization;
        this.answerTimeout = answerTimeout;
        this.http = http;
    }

    /**
     * Returns a client with a longer timeout, for an application that may start slowly; {@code null} for the default.
     */
    ManagementRequests starting(final Integer seconds)
    {
        return seconds == null ? this : within(ANSWER_TIMEOUT.plusSeconds(seconds));
    }

    /** Returns a client on the same connection with another timeout. */
    ManagementRequests within(final Duration timeout)
    {
        return new ManagementRequests(url, authorization, timeout, http);
    }

    JsonElement get(final String path) throws InterruptedException
    {
        return send("GET", path, BodyPublishers.noBody(), "");
    }

    JsonElement post(final String path) throws InterruptedException
    {
        return send("POST", path, BodyPublishers.noBody(), "");
    }

    JsonElement delete(final String path) throws InterruptedException
    {
        return send("DELETE", path, BodyPublishers.noBody(), "");
    }

    JsonElement postJson(final String path, final JsonObject body) throws InterruptedException
    {
        return send("POST", path, BodyPublishers.ofString(body.toString()), "");
    }

    JsonElement putJson(final String path, final JsonObject body) throws InterruptedException
    {
        return send("PUT", path, BodyPublishers.ofString(body.toString()), "");
    }

    /** Sends a file; its name, if needed, is in the path. */
    JsonElement putFile(final String path, final Path file) throws IOException, InterruptedException
    {
        return send("PUT", path, BodyPublishers.ofFile(file), "");
    }

    /** Sends a file with its name in a header. */
    JsonElement putNamed(final String path, final Path file) throws IOException, InterruptedException
    {
        return send("PUT", path, BodyPublishers.ofFile(file), ManagementPaths.fileName(file));
    }

    /** Sends a file with its name in a header. */
    JsonElement postNamed(final String path, final Path file) throws IOException, InterruptedException
    {
        return send("POST", path, BodyPublishers.ofFile(file), ManagementPaths.fileName(file));
    }

    private HttpRequest.Builder request(final String path)
    {
        try
        {
            return HttpRequest.newBuilder(URI.create(url + "/wlevs" + path));
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0107", "invalid address of an instance, url=" + url +
                " reason=" + e.getMessage(), "use the form http://127.0.0.1:9002");
        }
    }

    private JsonElement send(final String method, final String path, final BodyPublisher body, final String fileName)
        throws InterruptedException
    {
        final HttpRequest.Builder request = request(path).timeout(answerTimeout).method(method, body);
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
        catch (final ConnectException | HttpTimeoutException | SSLHandshakeException e)
        {
            throw noAnswer(e);
        }
        catch (final IOException e)
        {
            throw wasCut(method, path, e);
        }
        final JsonElement answer = parse(response.body());
        if (response.statusCode() >= OK_LIMIT)
        {
            throw failure(response.statusCode(), path, answer);
        }
        return answer;
    }

    private CommandException noAnswer(final IOException e)
    {
        if (e instanceof SSLHandshakeException)
        {
            return new CommandException(ExitCode.NOT_FOUND, "CMD-0125",
                "the TLS handshake with the instance failed, url=" + url + " reason=" + e.getMessage(),
                "the certificate must name the host of the address, and be in the PEM file of --trusted-certificates");
        }
        return new CommandException(
            ExitCode.NOT_FOUND, "CMD-0120", "no response from the instance, url=" + url + " reason=" + e,
            "start it with startwlevs.sh, or select another with --domain DIR or --url URL");
    }

    /** The instance had accepted the request before the connection was closed. */
    private CommandException wasCut(final String method, final String path, final IOException e)
    {
        final boolean isStart = !"GET".equals(method) && path.startsWith("/apps");
        return new CommandException(ExitCode.FAILED, "CMD-0124",
            "the connection was closed before the response arrived, url=" + url + " reason=" + e,
            "the process of the instance has probably ended; check the end of logs/server.log in the domain directory"
            + (isStart ? ". An application that calls Runtime.halt or exhausts the memory while it starts causes this; "
            + "start the instance; it starts without that application" : ""));
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
                ExitCode.NOT_FOUND, "CMD-0121", "response is not JSON, url=" + url,
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
                .forEach(problem -> lines.add(ProblemPrinter.format(problem.getAsJsonObject())));
        }
        if (lines.length() > 0)
        {
            return new CommandException(exitCode, lines.toString());
        }
        if (status == UNAUTHORIZED)
        {
            return new CommandException(
                exitCode, "CMD-0122", "not authorized, url=" + url,
                "run as the user that started the instance, or specify --user NAME --password PASSWORD");
        }
        return new CommandException(
            exitCode, "CMD-0123", "rejected by the instance, url=" + url + " path=" + path + " status=" + status +
            " answer=" + answer, "");
    }
}
