package dev.chatflow.server.simulation.mutant;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.util.List;

/** Loads product and simulation again, with one method of the product changed. */
public final class MutantLoader extends SeparateLoader {

  private final Mutant mutant;

  public MutantLoader(Mutant mutant) {
    this.mutant = mutant;
  }

  @Override
  byte[] code(String name) {
    byte[] original = super.code(name);
    return name.equals(mutant.className()) ? changed(original) : original;
  }

  private byte[] changed(byte[] original) {
    ClassModel model = ClassFile.of().parse(original);
    List<MethodModel> named =
        model.methods().stream()
            .filter(method -> method.methodName().equalsString(mutant.method()))
            .toList();
    if (named.size() != 1) {
      throw new IllegalStateException(
          named.size() + " methods " + mutant.className() + "." + mutant.method());
    }
    Change.Method method = method(model, named.getFirst());
    MethodTransform body =
        (builder, element) -> {
          if (element instanceof CodeModel) {
            builder.withCode(code -> mutant.change().write(code, method));
          } else {
            builder.with(element);
          }
        };
    return ClassFile.of()
        .transformClass(
            model,
            ClassTransform.transformingMethods(
                each -> each.methodName().equalsString(mutant.method()), body));
  }

  private static Change.Method method(ClassModel owner, MethodModel method) {
    return new Change.Method(
        owner.thisClass().asSymbol(), method.methodTypeSymbol(), method.flags().flags());
  }
}
