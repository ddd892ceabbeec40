package dev.millrace.adapter.kafka.avro;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.apache.avro.Schema;

/**
 * Client of a registry of schemas with the interface of Confluent's: {@code GET /schemas/ids/ID}. Thread-safe; each
 * call is a request.
 */
public final class SchemaRegistry
{
    /** The first byte of a value, which is followed by the id, big-endian. */
    public static final byte MAGIC = 0;
    /** Bytes in front of the row. */
    public static final int HEADER_BYTES = 5;
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final String url;
    private final Duration answer;
    private final HttpClient client;

    SchemaRegistry(final String url, final Duration answer)
    {
        this.url = url.strip().replaceFirst("/+$", "");
        this.answer = answer;
        client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(answer).build();
    }

    /** Returns its address. */
    public String url()
    {
        return url;
    }

    /**
     * Returns the schema with an id.
     *
     * @throws SchemaException if the registry does not contain it, or it is not one of Avro for records
     * @throws IOException     if the registry does not respond as expected
     */
    public Schema schema(final int id) throws SchemaException, IOException, InterruptedException
    {
        final HttpResponse<String> response = client.send(HttpRequest.newBuilder(URI.create(url + "/schemas/ids/" + id))
            .timeout(answer).header("Accept", "application/vnd.schemaregistry.v1+json, application/json").build(),
            HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() == NOT_FOUND)
        {
            throw new SchemaException("the registry does not contain the schema, id=" + id);
        }
        if (response.statusCode() != OK)
        {
            throw new IOException("the registry has responded with status=" + response.statusCode());
        }
        return schema(id, response.body());
    }

    private static Schema schema(final int id, final String body) throws SchemaException, IOException
    {
        final JsonObject description;
        try
        {
            description = JsonParser.parseString(body).getAsJsonObject();
        }
        catch (final JsonParseException | IllegalStateException e)
        {
            throw new IOException("the registry has not responded with a JSON object, id=" + id, e);
        }
        if (description.has("schemaType") && !"AVRO".equals(description.get("schemaType").getAsString()))
        {
            throw new SchemaException("the schema is not one of Avro, id=" + id + " schemaType=" +
                description.get("schemaType").getAsString());
        }
        if (!description.has("schema"))
        {
            throw new IOException("the response of the registry lacks a schema, id=" + id);
        }
        return RecordSchema.parse(description.get("schema").getAsString());
    }
}
