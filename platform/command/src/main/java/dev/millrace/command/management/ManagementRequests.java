package dev.millrace.command.management;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonSyntaxException;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.StringJoiner;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;

/**
 * Sends requests to the management endpoint of an instance and parses its responses. Thread-safe. Rejections and
 * missing responses throw {@link CommandException}.
 *
 * <p>Uses the older client of the JDK: loading {@code java.net.http} takes longer than everything else a short command
 * does. An interrupted thread sends no request; a thread that waits for a response waits until it arrives or times out.
 */
final class ManagementRequests
{
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(90);
    private static final int EXPECT_FROM_BYTES = 8192;
    private static final int OK_LIMIT = 300;
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;

    private final String url;
    private final String authorization;
    private final Duration answerTimeout;
    private final SSLContext trust;

    /** @param trust of https addresses; {@code null} for the certificates that Java trusts */
    ManagementRequests(final String url, final String authorization, final SSLContext trust)
    {
        this(url.endsWith("/") ? url.substring(0, url.length() - 1) : url, authorization, ANSWER_TIMEOUT, trust);
    }

    private ManagementRequests(
        final String url, final String authorization, final Duration answerTimeout, final SSLContext trust)
    {
        this.url = url;
        this.authorization = authorization;
        this.answerTimeout = answerTimeout;
        this.trust = trust;
    }

    /**
     * Returns a client with a longer timeout, for an application that may start slowly; {@code null} for the default.
     */
    ManagementRequests starting(final Integer seconds)
    {
        return seconds == null ? this : within(ANSWER_TIMEOUT.plusSeconds(seconds));
    }

    /** Returns a client of the same instance with another timeout. */
    ManagementRequests within(final Duration timeout)
    {
        return new ManagementRequests(url, authorization, timeout, trust);
    }

    JsonElement get(final String path) throws InterruptedException
    {
        return send("GET", path, RequestBody.EMPTY, "");
    }

    JsonElement post(final String path) throws InterruptedException
    {
        return send("POST", path, RequestBody.EMPTY, "");
    }

    JsonElement delete(final String path) throws InterruptedException
    {
        return send("DELETE", path, RequestBody.EMPTY, "");
    }

    JsonElement postJson(final String path, final JsonObject body) throws InterruptedException
    {
        return send("POST", path, RequestBody.of(body), "");
    }

    JsonElement putJson(final String path, final JsonObject body) throws InterruptedException
    {
        return send("PUT", path, RequestBody.of(body), "");
    }

    /** Sends a file; its name, if needed, is in the path. */
    JsonElement putFile(final String path, final Path file) throws IOException, InterruptedException
    {
        return send("PUT", path, RequestBody.of(file), "");
    }

    /** Sends a file with its name in a header. */
    JsonElement putNamed(final String path, final Path file) throws IOException, InterruptedException
    {
        return send("PUT", path, RequestBody.of(file), ManagementPaths.fileName(file));
    }

    /** Sends a file with its name in a header. */
    JsonElement postNamed(final String path, final Path file) throws IOException, InterruptedException
    {
        return send("POST", path, RequestBody.of(file), ManagementPaths.fileName(file));
    }

    private JsonElement send(final String method, final String path, final RequestBody body, final String fileName)
        throws InterruptedException
    {
        if (Thread.interrupted())
        {
            throw new InterruptedException("interrupted before the request");
        }
        final HttpURLConnection request = request(path);
        final int status;
        final String text;
        try
        {
            request.setRequestMethod(method);
            if (!authorization.isEmpty())
            {
                request.setRequestProperty("Authorization", authorization);
            }
            if (!fileName.isEmpty())
            {
                request.setRequestProperty("Content-Type", "application/java-archive");
                request.setRequestProperty("X-File-Name", fileName);
            }
            if (!"GET".equals(method))
            {
                write(request, body);
            }
            status = request.getResponseCode();
            text = text(request, status);
        }
        catch (final ConnectException | SocketTimeoutException | SSLHandshakeException e)
        {
            throw noAnswer(e);
        }
        catch (final IOException e)
        {
            throw wasCut(method, path, e);
        }
        if (status == UNAUTHORIZED && !"GET".equals(method))
        {
            // The client of the JDK drops this response to a request with a body; one without is rejected alike.
            get("/server");
        }
        final JsonElement answer = parse(text);
        if (status >= OK_LIMIT)
        {
            throw failure(status, path, answer);
        }
        return answer;
    }

    private HttpURLConnection request(final String path)
    {
        try
        {
            final HttpURLConnection request =
                (HttpURLConnection)URI.create(url + "/wlevs" + path).toURL().openConnection();
            if (trust != null && request instanceof HttpsURLConnection secure)
            {
                secure.setSSLSocketFactory(trust.getSocketFactory());
            }
            request.setInstanceFollowRedirects(false);
            request.setConnectTimeout((int)CONNECT_TIMEOUT.toMillis());
            request.setReadTimeout((int)answerTimeout.toMillis());
            request.setRequestProperty("Accept", "application/json");
            return request;
        }
        catch (final IllegalArgumentException | ClassCastException | IOException e)
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0107", "invalid address of an instance, url=" + url +
                " reason=" + e.getMessage(), "use the form http://127.0.0.1:9002");
        }
    }

    /** Sends a body as it is read: a request whose length is fixed is never sent again when the connection breaks. */
    private static void write(final HttpURLConnection request, final RequestBody body) throws IOException
    {
        request.setDoOutput(true);
        request.setFixedLengthStreamingMode(body.sizeBytes());
        if (body.sizeBytes() > EXPECT_FROM_BYTES)
        {
            // The instance can reject the head before the body is on its way.
            request.setRequestProperty("Expect", "100-continue");
        }
        try (OutputStream out = request.getOutputStream())
        {
            body.writeTo(out);
        }
        catch (final ProtocolException e)
        {
            if (request.getResponseCode() < OK_LIMIT)
            {
                throw e;
            }
        }
    }

    private static String text(final HttpURLConnection request, final int status) throws IOException
    {
        try (InputStream in = status < HttpURLConnection.HTTP_BAD_REQUEST ? request.getInputStream() :
            request.getErrorStream())
        {
            if (in == null)
            {
                return "";
            }
            final byte[] bytes = in.readAllBytes();
            // The client of the JDK does not notice that the connection was closed too early.
            if (bytes.length < request.getContentLengthLong())
            {
                throw new EOFException("received " + bytes.length + " of " + request.getContentLengthLong() + " bytes");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }
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
