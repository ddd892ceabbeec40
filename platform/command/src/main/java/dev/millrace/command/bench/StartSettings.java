package dev.millrace.command.bench;

import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.JvmOptions;
import java.nio.file.Path;

/**
 * What is booted.
 *
 * @param application bundle to deploy
 * @param jdk         Java of the instances, or {@code null}
 * @param jvmOptions  added to those of the default domain
 */
public record StartSettings(Home home, Path application, Path jdk, JvmOptions jvmOptions)
{
}
