package dev.millrace.cql.replay.run;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.ApplicationRunner;

/** Problems of the settings of a run. Stateless. */
final class WrongName
{
    private WrongName()
    {
    }

    static DeploymentException of(final String text, final String hint)
    {
        return new DeploymentException(ApplicationRunner.WRONG_NAME, SourcePosition.NONE, text, hint);
    }
}
