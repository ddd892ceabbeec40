package dev.millrace.assembly.problem;

/** Kinds of problems in assembly and configuration files, with their codes. */
public enum AssemblyErrorCode
{
    /** An element that its parent does not have: correct its name. */
    UNKNOWN_ELEMENT("EPN-1201"),
    /** An attribute that its element does not have: correct its name. */
    UNKNOWN_ATTRIBUTE("EPN-1202"),
    /** A required attribute, element or text is missing: add it. */
    MISSING("EPN-1203"),
    /** An invalid value: correct it. */
    BAD_VALUE("EPN-1204"),
    /** A namespace without a handler in the server: correct it, or install the bundle that contains the handler. */
    UNKNOWN_NAMESPACE("EPN-1205"),
    /** An id, type name or setting that was already used: rename or remove one. */
    DUPLICATE("EPN-1206"),
    /** A reference to something that is not in the application: correct it. */
    DANGLING_REFERENCE("EPN-1207"),
    /** An event type that the application does not declare: correct the name or declare the type. */
    UNKNOWN_EVENT_TYPE("EPN-1208"),
    /** A provider that the server does not have: correct the name or install its bundle. */
    UNKNOWN_PROVIDER("EPN-1209"),
    /** Something of Oracle Event Processing that this version does not run yet: remove it or follow the hint. */
    NOT_AVAILABLE("EPN-1210"),
    /** Settings that exclude each other: choose one. */
    CONTRADICTION("EPN-1211"),
    /** A class that the application cannot load: correct the name or import its package. */
    UNKNOWN_CLASS("EPN-1212"),
    /** A declaration of an event type that cannot be used: correct it. */
    BAD_EVENT_TYPE("EPN-1213"),
    /** Stages that cannot be wired to each other: follow the hint. */
    BAD_WIRING("EPN-1214"),
    /** The Spring part of an assembly file is wrong: the message is Spring's. */
    SPRING_XML("EPN-1215"),
    /** A warning: the setting is accepted and has another effect than in Oracle Event Processing, or none. */
    OTHER_EFFECT("EPN-1216"),
    /** A warning that a part of another application is checked on the server only: none, if that application has it. */
    UNCHECKED("EPN-1217"),
    /** A stage of another application cannot be used: follow the hint, which depends on the reason. */
    FOREIGN_STAGE("EPN-1218"),
    /** An event type of another application cannot be used: follow the hint, which depends on the reason. */
    FOREIGN_TYPE("EPN-1219"),
    /** Configuration for something that is not in the assembly files: correct the name. */
    UNKNOWN_COMPONENT("EPN-1301"),
    /** A processor without rules: write a component configuration file for it. */
    NO_RULES("EPN-1302"),
    /** An object of the application could not be created: the message contains the reason. */
    BEAN_FAILED("EPN-1401"),
    /** A property that the object does not have: correct its name. */
    UNKNOWN_PROPERTY("EPN-1402"),
    /** A property value that could not be set: correct it. */
    BAD_PROPERTY("EPN-1403"),
    /** A placeholder without value: set the system property or define the property. */
    UNRESOLVED_PLACEHOLDER("EPN-1404");

    private final String code;

    AssemblyErrorCode(final String code)
    {
        this.code = code;
    }

    /**
     * Returns the stable code.
     *
     * @return for example {@code EPN-1201}
     */
    public String code()
    {
        return code;
    }
}
