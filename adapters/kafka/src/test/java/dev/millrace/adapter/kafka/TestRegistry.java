package dev.millrace.adapter.kafka;

import com.google.gson.JsonObject;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A registry of schemas on a free port of loopback, with the interface of Confluent's. */
public final class TestRegistry implements AutoCloseable
{
    /** The answers by id of the schema. */
    public final Map<Integer, String> answers = new ConcurrentHashMap<>();
    /** The paths of all requests. */
    public final List<String> requests = new CopyOnWriteArrayList<>();
    public volatile boolean isUnavailable;
    private final HttpServer server;

    public TestRegistry() throws IOException
    {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    public TestRegistry with(final int id, final String schema)
    {
        final JsonObject answer = new JsonObject();
        answer.addProperty("schema", schema);
        answers.put(id, answer.toString());
        return this;
    }

    public String url()
    {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(final HttpExchange exchange) throws IOException
    {
        final String path = exchange.getRequestURI().getPath();
        requests.add(path);
        final String answer = path.startsWith("/schemas/ids/") ?
            answers.get(Integer.parseInt(path.substring("/schemas/ids/".length()))) : null;
        final byte[] body = (answer == null ? "{\"error_code\":40403,\"message\":\"Schema not found\"}" : answer)
            .getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(isUnavailable ? 503 : answer == null ? 404 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close()
    {
        server.stop(0);
    }
}
