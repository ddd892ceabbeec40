package dev.millrace.server.deployment;

import dev.millrace.server.extender.ApplicationStatus;

/**
 * A snapshot of one application.
 *
 * @param name    symbolic name
 * @param version version of its bundle, empty when it could not be installed
 * @param status  where it stands
 */
public record Application(String name, String version, ApplicationStatus status)
{
}
