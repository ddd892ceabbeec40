package dev.millrace.assembly.epn;

import dev.millrace.assembly.xml.Located;
import dev.millrace.network.definition.SourcePosition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A stage as written in an assembly file. Filled by the parser, only read afterwards. */
public final class StageDeclaration
{
    /** Elements that declare stages. */
    public enum Kind
    {
        /** {@code wlevs:adapter}. */
        ADAPTER("adapter"),
        /** {@code wlevs:event-bean}. */
        EVENT_BEAN("event-bean"),
        /** {@code wlevs:channel}. */
        CHANNEL("channel"),
        /** {@code wlevs:processor}. */
        PROCESSOR("processor"),
        /** A plain Spring bean that is referenced as a listener. */
        BEAN("bean");

        private final String elementName;

        Kind(final String elementName)
        {
            this.elementName = elementName;
        }

        /** The local name of the element. */
        public String elementName()
        {
            return elementName;
        }
    }

    /** Key of the text of {@code expression} in {@link #settings}. */
    public static final String EXPRESSION = "expression";
    /** Property of channels: the property of events that determines the listener. */
    public static final String PARTITIONER = "partitionByEventProperty";

    /** Attribute of stages whose rows other applications may take. */
    public static final String ADVERTISE = "advertise";

    private final Kind kind;
    private final String id;
    private final SourcePosition position;
    private final String parentId;
    /** Attributes as written, by name. */
    private final Map<String, Located> settings = new HashMap<>();
    private final List<ElementReference> listeners = new ArrayList<>();
    private final List<ElementReference> sources = new ArrayList<>();
    private final List<ElementReference> cacheSources = new ArrayList<>();
    private final List<ElementReference> tableSources = new ArrayList<>();
    private final List<UserObjectDeclaration> functions = new ArrayList<>();
    private final List<UserObjectDeclaration> windows = new ArrayList<>();
    private SourcePosition applicationTimestamped;

    StageDeclaration(final Kind kind, final String id, final SourcePosition position, final String parentId)
    {
        this.kind = kind;
        this.id = id;
        this.position = position;
        this.parentId = parentId;
    }

    public Kind kind()
    {
        return kind;
    }

    /** The id; generated for nested stages without one. */
    public String id()
    {
        return id;
    }

    /** The position of the element. */
    public SourcePosition position()
    {
        return position;
    }

    /** Id of the enclosing stage, or {@code null} for a top-level stage. */
    public String parentId()
    {
        return parentId;
    }

    /**
     * An attribute, or a child that contains text; {@code null} if missing.
     *
     * @param name attribute name or {@link #EXPRESSION}
     */
    public Located setting(final String name)
    {
        return settings.get(name);
    }

    /** Stages below, as written, in order. */
    public List<ElementReference> listeners()
    {
        return listeners;
    }

    /** Stages above, as written, in order. */
    public List<ElementReference> sources()
    {
        return sources;
    }

    /** Caches that the rules of a processor may join, in order. */
    public List<ElementReference> cacheSources()
    {
        return cacheSources;
    }

    /** Tables that the rules of a processor may join, in order. */
    public List<ElementReference> tableSources()
    {
        return tableSources;
    }

    /** Functions and aggregates that the rules of a processor may call, in order. */
    public List<UserObjectDeclaration> functions()
    {
        return functions;
    }

    /** Windows that the rules of a processor may use, in order. */
    public List<UserObjectDeclaration> windows()
    {
        return windows;
    }

    /**
     * Position of the {@code application-timestamped} element of a channel, or {@code null} when the channel has system
     * time.
     */
    public SourcePosition applicationTimestamped()
    {
        return applicationTimestamped;
    }

    /** Position of {@code advertise="true"}, or {@code null} when other applications cannot take rows of the stage. */
    public SourcePosition advertised()
    {
        final Located advertise = setting(ADVERTISE);
        return advertise != null && advertise.value().equals("true") ? advertise.position() : null;
    }

    void applicationTimestamped(final SourcePosition where)
    {
        applicationTimestamped = where;
    }

    void setting(final String name, final Located value)
    {
        settings.put(name, value);
    }
}
