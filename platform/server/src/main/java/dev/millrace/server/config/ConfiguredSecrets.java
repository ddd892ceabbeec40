package dev.millrace.server.config;

import dev.millrace.api.secret.NamedSecrets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The {@code <secret>} elements of {@code config.xml}. Immutable; {@link #toString()} contains only names. */
public final class ConfiguredSecrets implements NamedSecrets
{
    private final Map<String, String> byName;

    ConfiguredSecrets(final Map<String, String> byName)
    {
        this.byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
    }

    @Override
    public String secret(final String name)
    {
        return byName.get(name);
    }

    @Override
    public String toString()
    {
        return byName.keySet().toString();
    }
}
