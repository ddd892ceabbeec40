package dev.millrace.command.management;

import com.google.gson.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Body of a request, whose size is known before it is written.
 *
 * @param sizeBytes number of bytes
 * @param content   returns the bytes
 */
record RequestBody(long sizeBytes, Content content)
{
    static final RequestBody EMPTY = new RequestBody(0, InputStream::nullInputStream);

    /** Opens the bytes of a body. */
    interface Content
    {
        InputStream open() throws IOException;
    }

    static RequestBody of(final JsonObject json)
    {
        final byte[] bytes = json.toString().getBytes(StandardCharsets.UTF_8);
        return new RequestBody(bytes.length, () -> new ByteArrayInputStream(bytes));
    }

    /** @throws IOException if the file cannot be read */
    static RequestBody of(final Path file) throws IOException
    {
        return new RequestBody(Files.size(file), () -> Files.newInputStream(file));
    }

    void writeTo(final OutputStream out) throws IOException
    {
        try (InputStream in = content.open())
        {
            in.transferTo(out);
        }
    }
}
