package dev.millrace.adapter.jms.connect;

/** Finds classes of providers. Thread-safe. */
@FunctionalInterface
public interface ProviderClasses
{
    /**
     * Finds a class.
     *
     * @return {@code null} if no bundle contains it at present
     */
    Class<?> find(String name);
}
