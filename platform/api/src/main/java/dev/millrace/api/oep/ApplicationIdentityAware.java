package dev.millrace.api.oep;

/** A stage that receives the name of its application before {@code afterPropertiesSet}. */
public interface ApplicationIdentityAware
{
    /**
     * Passes the name.
     *
     * @param applicationIdentity symbolic name of the bundle
     */
    void setApplicationIdentity(String applicationIdentity);
}
