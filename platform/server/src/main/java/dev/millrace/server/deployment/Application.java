package dev.millrace.server.deployment;

import dev.millrace.server.extender.ApplicationStatus;

/**
 * A snapshot of one application.
 *
 * @param name    symbolic name
 * @param version version of its bundle, empty when it could not be installed
 * @param status  where it stands
 * @param update  what its last update did since the instance was started; {@code null} without one
 */
public record Application(String name, String version, ApplicationStatus status, UpdateReport update)
{
    Application(final String name, final String version, final ApplicationStatus status)
    {
        this(name, version, status, null);
    }
}
