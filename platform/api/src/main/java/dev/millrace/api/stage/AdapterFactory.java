package dev.millrace.api.stage;

/**
 * Creates adapters of one provider. Registered as an OSGi service with property {@value #PROVIDER_PROPERTY}, the name
 * of the provider in the assembly file, for example {@code provider="csvgen"}.
 */
public interface AdapterFactory
{
    /** Service property that names the provider; its value is a string or an array of strings. */
    String PROVIDER_PROPERTY = "type";

    /**
     * Creates an adapter; its instance properties are set afterwards through setters.
     *
     * @return a new adapter
     */
    Adapter create();
}
