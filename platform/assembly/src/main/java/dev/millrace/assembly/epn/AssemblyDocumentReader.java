package dev.millrace.assembly.epn;

import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.xml.HardenedXml;
import dev.millrace.assembly.xml.Located;
import dev.millrace.assembly.xml.XmlPositions;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import java.io.InputStream;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanDefinitionStoreException;
import org.springframework.beans.factory.parsing.Problem;
import org.springframework.beans.factory.parsing.ProblemReporter;
import org.springframework.beans.factory.support.BeanDefinitionOverrideException;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.xml.NamespaceHandlerResolver;
import org.springframework.beans.factory.xml.XmlBeanDefinitionReader;
import org.springframework.core.io.Resource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.w3c.dom.Text;
import org.xml.sax.EntityResolver;
import org.xml.sax.InputSource;

/**
 * Spring's reader of bean definitions with different document parsing: hardened, with positions, strict about names,
 * and collecting all problems instead of stopping at the first one. Not thread-safe.
 */
public final class AssemblyDocumentReader extends XmlBeanDefinitionReader implements ProblemReporter
{
    private static final Logger LOG = LoggerFactory.getLogger(AssemblyDocumentReader.class);

    private final EpnModel model;
    private final NamespaceHandlerResolver namespaces;

    /**
     * @param registry   receives the bean definitions
     * @param namespaces finds handlers
     * @param entities   finds schemas
     * @param model      receives the declarations of the files
     */
    public AssemblyDocumentReader(final BeanDefinitionRegistry registry, final NamespaceHandlerResolver namespaces,
        final EntityResolver entities, final EpnModel model)
    {
        super(registry);
        this.model = model;
        this.namespaces = namespaces;
        setNamespaceHandlerResolver(namespaces);
        setEntityResolver(entities);
        setValidationMode(VALIDATION_NONE);
        setNamespaceAware(true);
        setProblemReporter(this);
        setSourceExtractor((candidate, resource) -> candidate instanceof Node node ? XmlPositions.of(node) : null);
    }

    @Override
    protected Document doLoadDocument(final InputSource inputSource, final Resource resource) throws Exception
    {
        model.problems().file(resource.getDescription());
        try (InputStream content = inputSource.getByteStream())
        {
            final Document document = HardenedXml.parse(resource.getDescription(), content);
            model.problems().source(XmlPositions.source(document.getDocumentElement()));
            collectPlaceholders(document.getDocumentElement(), null);
            return document;
        }
    }

    @Override
    public int registerBeanDefinitions(final Document document, final Resource resource)
    {
        final EpnSchemaCheck check =
            new EpnSchemaCheck(model.problems(), model.refusedIds(), uri -> namespaces.resolve(uri) != null);
        return check.check(document) ? super.registerBeanDefinitions(document, resource) : 0;
    }

    private void collectPlaceholders(final Element element, final String around)
    {
        final boolean isAdapter = StageParser.kind(element) == StageDeclaration.Kind.ADAPTER;
        final String adapter = isAdapter ? element.getAttribute("id").strip() : around;
        final NamedNodeMap attributes = element.getAttributes();
        for (int i = 0; i < attributes.getLength(); i++)
        {
            if (attributes.item(i).getNodeValue().contains("${"))
            {
                model.placeholders().add(new Placeholder(adapter, new Located(attributes.item(i).getNodeValue(),
                    XmlPositions.ofValue(element, attributes.item(i).getNodeName()))));
            }
        }
        for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling())
        {
            if (child instanceof Element childElement)
            {
                collectPlaceholders(childElement, adapter);
            }
            else if (child instanceof Text text && text.getData().contains("${"))
            {
                model.placeholders().add(
                    new Placeholder(adapter, new Located(text.getData(), XmlPositions.of(text))));
            }
        }
    }

    @Override
    public void fatal(final Problem problem)
    {
        error(problem);
    }

    @Override
    public void warning(final Problem problem)
    {
        LOG.warn("assembly file: {}", problem);
    }

    /** Reports a problem found by Spring, unless a more specific one was reported at the same position. */
    @Override
    public void error(final Problem problem)
    {
        for (Throwable cause = problem.getRootCause(); cause != null; cause = cause.getCause())
        {
            if (cause instanceof DeploymentException refused)
            {
                model.problems().addAll(refused);
                return;
            }
        }
        final SourcePosition position = position(problem);
        if (model.problems().hasProblemAt(position))
        {
            return;
        }
        if (problem.getRootCause() instanceof BeanDefinitionOverrideException override)
        {
            model.problems().add(AssemblyErrorCode.DUPLICATE, position, "the id is used twice, id=" +
                override.getBeanName() + " first=" + override.getExistingDefinition().getSource(),
                "give one of them another id");
            return;
        }
        final Throwable cause = problem.getRootCause();
        model.problems().add(AssemblyErrorCode.SPRING_XML, position,
            problem.getMessage() + (cause == null ? "" : ": " + cause.getMessage()), "correct the file at this "
                + "position");
    }

    private static SourcePosition position(final Problem problem)
    {
        final Object source = problem.getLocation().getSource();
        if (source instanceof Node node)
        {
            return XmlPositions.of(node);
        }
        return source instanceof SourcePosition known ? known :
            new SourcePosition(problem.getResourceDescription(), 0, 0);
    }

    /**
     * Reads files; problems are reported to the model.
     *
     * @param files resources whose description is the name of the file as the user knows it
     */
    public void readAll(final List<? extends Resource> files)
    {
        for (final Resource file : files)
        {
            try
            {
                loadBeanDefinitions(file);
            }
            catch (final BeanDefinitionStoreException e)
            {
                unreadable(file, e);
            }
        }
    }

    private void unreadable(final Resource file, final RuntimeException failure)
    {
        for (Throwable cause = failure; cause != null; cause = cause.getCause())
        {
            if (cause instanceof DeploymentException refused)
            {
                model.problems().addAll(refused);
                return;
            }
        }
        model.problems().add(AssemblyErrorCode.SPRING_XML, new SourcePosition(file.getDescription(), 0, 0),
            "the file cannot be read: " + failure.getMessage(), "correct the file");
    }
}
