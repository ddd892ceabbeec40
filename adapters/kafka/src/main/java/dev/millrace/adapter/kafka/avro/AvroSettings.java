package dev.millrace.adapter.kafka.avro;

import dev.millrace.adapter.common.property.PropertyCheck;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.avro.Schema;

/**
 * Where schemas are. Immutable.
 *
 * @param file     file with the schema of all values; {@code null} if values begin with the id of theirs
 * @param registry of schemas; {@code null} if there is a file
 */
public record AvroSettings(Path file, SchemaRegistry registry)
{
    /**
     * Validates the properties.
     *
     * @param isAvro whether the format is Avro
     * @param answer time in which the registry must answer
     * @return {@code null} for other formats
     * @throws IllegalArgumentException for the first invalid property, with code and next step
     */
    public static AvroSettings check(final PropertyCheck check, final boolean isAvro, final String schemaFile,
        final String schemaRegistry, final Duration answer)
    {
        check.require("schemaFile", schemaFile, isAvro || schemaFile == null, "leave it out, or set format to avro");
        check.require("schemaRegistry", schemaRegistry, isAvro || schemaRegistry == null,
            "leave it out, or set format to avro");
        if (!isAvro)
        {
            return null;
        }
        check.require("schemaFile", schemaFile, schemaFile == null != (schemaRegistry == null),
            "the format avro needs either schemaFile or schemaRegistry");
        if (schemaFile != null)
        {
            return new AvroSettings(Path.of(schemaFile), null);
        }
        check.require("schemaRegistry", schemaRegistry, isAddress(schemaRegistry),
            "use an address such as http://registry:8081");
        return new AvroSettings(null, new SchemaRegistry(schemaRegistry, answer));
    }

    private static boolean isAddress(final String text)
    {
        try
        {
            final URI address = URI.create(text.strip());
            return address.getHost() != null && ("http".equals(address.getScheme()) ||
                "https".equals(address.getScheme()));
        }
        catch (final IllegalArgumentException e)
        {
            return false;
        }
    }

    /**
     * Reads the schema of the file.
     *
     * @throws IllegalArgumentException if it cannot be read, with code and next step
     */
    public Schema fileSchema(final PropertyCheck check)
    {
        try
        {
            return RecordSchema.parse(Files.readString(file));
        }
        catch (final IOException | SchemaException e)
        {
            throw check.wrong("schemaFile", file + " reason=" + (e instanceof IOException ? e : e.getMessage()),
                "name a file with the schema of a record, relative to the directory of the domain");
        }
    }
}
