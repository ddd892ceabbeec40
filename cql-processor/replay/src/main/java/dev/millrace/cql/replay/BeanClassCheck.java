package dev.millrace.cql.replay;

import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.support.GenericApplicationContext;

/** Checks that the classes of plain beans, which are not created, can be loaded. Confined to one thread. */
final class BeanClassCheck
{
    private final ApplicationFiles files;
    private final List<Problem> problems = new ArrayList<>();

    BeanClassCheck(final ApplicationFiles files)
    {
        this.files = files;
    }

    /**
     * Tries to load the class of each bean. Classes of packages that the bundle imports are left out: other bundles
     * provide them.
     *
     * @return a problem for each class that is missing
     */
    List<Problem> check(final GenericApplicationContext context) throws IOException
    {
        for (final String bean : context.getBeanDefinitionNames())
        {
            final BeanDefinition definition = context.getBeanDefinition(bean);
            final String name = definition.getBeanClassName();
            if (name != null && !name.contains("${") && !isLoadable(name) && !files.imports(packageOf(name)))
            {
                problems.add(new Problem(AssemblyErrorCode.UNKNOWN_CLASS.code(),
                    definition.getSource() instanceof SourcePosition known ? known : SourcePosition.NONE,
                    "the application cannot load the class, class=" + name + " bean=" + bean,
                    "correct the name; a class of another bundle needs an Import-Package", ""));
            }
        }
        return problems;
    }

    private static String packageOf(final String name)
    {
        return name.substring(0, Math.max(0, name.lastIndexOf('.')));
    }

    private boolean isLoadable(final String name) throws IOException
    {
        try
        {
            Class.forName(name, false, files.classes());
            return true;
        }
        catch (final ClassNotFoundException | LinkageError none)
        {
            return false;
        }
    }
}
