package dev.millrace.api.stage;

/**
 * Makes adapters of one provider. Registered as an OSGi service with property {@value #PROVIDER_PROPERTY} naming the
 * provider, as {@code provider="csvgen"} in the assembly file asks for it.
 */
public interface AdapterFactory
{
    /** Service property that names the provider; its value is a string or an array of strings. */
    String PROVIDER_PROPERTY = "type";

    /**
     * Makes an adapter; its instance properties are set afterwards through setters.
     *
     * @return a new adapter
     */
    Adapter create();
}
