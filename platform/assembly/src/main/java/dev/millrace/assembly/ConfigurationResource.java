package dev.millrace.assembly;

import java.util.Objects;
import org.springframework.core.io.InputStreamSource;

/**
 * A file of an application: an assembly file or a component configuration file.
 *
 * @param name    name as the user knows it, for example {@code META-INF/wlevs/processor.xml}; messages start with it
 * @param content opens the bytes; read once
 */
public record ConfigurationResource(String name, InputStreamSource content)
{
    /** Checks the arguments. */
    public ConfigurationResource
    {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(content, "content");
    }
}
